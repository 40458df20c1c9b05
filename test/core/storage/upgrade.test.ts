import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { StartError } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { openDatabase, openDatabaseOnThread } from '../../../core/storage/database.ts';
import { lockDataFolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { startDatabaseThread } from '../../../core/storage/embedded/database-thread.ts';
import { migrate } from '../../../core/storage/migrate.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { buildApp } from '../../../server/app.ts';
import { openSocketTools } from '../../../workers/answer/live-answer.ts';
import { lendEmbedder } from '../../helpers/models/embedding/lend-embedder.ts';
import { testConfig } from '../../helpers/servers/open-test-runtime.ts';
import { dumpCatalogue } from '../../helpers/stores/databases/dump-catalogue.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import {
  createBareDatabase,
  openUnusedDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';
import { upgradeFixture } from '../../helpers/stores/databases/upgrade-fixture.ts';

const log = createLog('silent');

/** A database as version 0070 left it: nothing of this version has run on it. */
async function restore(engine: 'embedded' | 'postgres') {
  const folder = emptyTestFolder();
  if (engine === 'embedded') {
    await upgradeFixture.restoreEmbedded(folder);
    const lock = lockDataFolder(folder, process.pid);
    const database = await openDatabaseOnThread(await startDatabaseThread(folder), lock);
    afterAll(() => database.close());
    return { kysely: database.kysely, open: async () => ({ ...database, close: async () => {} }) };
  }
  const url = await createBareDatabase();
  await upgradeFixture.restorePostgres(url);
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=public,bullmq' });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  afterAll(() => kysely.destroy());
  return { kysely, open: () => openDatabase({ DATA_DIR: folder, DATABASE_URL: url }, log) };
}

const earlier = (version: string) =>
  `This database was created by an earlier development version (at migration ${version}). Export your data with that version, or start with an empty database.`;

describe.each(testEngines)('a database of the last development version, on %s', async (engine) => {
  const { kysely, open } = await restore(engine);
  const { workspaceId, key, counts } = upgradeFixture.facts(engine);
  await sql`update lane set sending = 'older', sending_until = now() + interval '5 seconds'`.execute(kysely);

  const upgrade = () => migrate(kysely, { log });
  const migrationsBefore = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name collate "C"`.execute(kysely);
    return rows.map(({ name }) => name);
  };

  test('at an older migration, or with an unknown one, is refused in one line and left as it is', async () => {
    const names = await migrationsBefore();
    await sql`delete from kysely_migration where name > '0043'`.execute(kysely);
    await expect(upgrade()).rejects.toThrow(earlier('0042'));
    for (const name of names.filter((name) => name > '0043')) {
      await sql`insert into kysely_migration values (${name}, '')`.execute(kysely);
    }
    await sql`insert into kysely_migration values ('0075-unknown', '')`.execute(kysely);
    await expect(upgrade()).rejects.toThrow(earlier('0075'));
    await sql`delete from kysely_migration where name = '0075-unknown'`.execute(kysely);
    await sql`delete from kysely_migration where name = '0031-less-per-question'`.execute(kysely);
    await expect(upgrade()).rejects.toThrow(earlier('0070'));
    await sql`insert into kysely_migration values ('0031-less-per-question', '')`.execute(kysely);
    expect(await migrationsBefore()).toEqual(names);
  });

  test('continues where an upgrade failed halfway', async () => {
    await sql`create table embedding_model (id integer)`.execute(kysely);
    await expect(upgrade()).rejects.toThrow(
      /^The database could not be brought up to date: .*"embedding_model" already exists/,
    );
    await sql`drop table embedding_model`.execute(kysely);
    const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(kysely);
    expect(rows.map(({ name }) => name)).toEqual([
      '0071-message-uncounted',
      '0072-candidate-weights',
      '0074-sentence-vectors',
      'baseline',
    ]);
  });

  test('gets the schema of a new installation, killed after any step and with several processes at once', async () => {
    let steps = 0;
    for (let ended = false; !ended; steps += 1) {
      const killed = new Error('killed');
      const kill = () => {
        throw killed;
      };
      ended = await migrate(kysely, { log, onStep: kill }).then(
        () => true,
        ({ cause }: StartError) => {
          expect(cause).toBe(killed);
          return false;
        },
      );
    }
    expect(steps).toBeGreaterThan(30);
    await (engine === 'postgres' ? Promise.all([upgrade(), upgrade(), upgrade()]) : upgrade());
    const fresh = await openUnusedDatabase(engine);
    expect(await dumpCatalogue(kysely)).toEqual(await dumpCatalogue(fresh.kysely));
    const names = (database: typeof kysely) =>
      sql`select name, hash from migration order by name`.execute(database);
    expect((await names(kysely)).rows).toEqual((await names(fresh.kysely)).rows);
  });

  test('leaves the part that a process of the version before is sending to that process', async () => {
    const settle = await sql`
      select lane.channel_id, lane.lane, lease_lane(lane.channel_id, lane.lane, 'newer', interval '1 second') as leased,
             settle_sent_part(lane.channel_id, lane.lane, 'older', null, 0, 1, 'm1', now()) as settled,
             lease_lane(lane.channel_id, lane.lane, 'newer', interval '1 second') as then_leased
      from lane join outbound_part using (channel_id, lane) where outbound_part.status = 'waiting'
    `.execute(kysely);
    expect(settle.rows).toMatchObject([
      { leased: false, settled: { next: null, let_go: true }, then_leased: true },
    ]);
  });

  test('gives no lane to a process of the version before, but stores what it receives', async () => {
    const deliveries = JSON.stringify([
      { event_id: 'of an older one', lane: 'new', native: {}, settle_ms: 0, first_settle_ms: 0 },
    ]);
    const { rows } = await sql`
      select event_id, work from (select * from channel limit 1) as channel, receive_deliveries(
        channel.id, channel.workspace_id, now(), ${deliveries}::jsonb, '[]', '[{"lane": "new", "token": "older"}]',
        interval '20 seconds', 50
      )
    `.execute(kysely);
    expect(rows).toEqual([{ event_id: 'of an older one', work: null }]);
    await sql`delete from inbound_event where lane = 'new'`.execute(kysely);
    await sql`delete from lane where lane = 'new'`.execute(kysely);
  });

  test('has all its rows', async () => {
    expect(Object.keys(counts).length).toBeGreaterThan(30);
    const found = await Promise.all(
      Object.keys(counts).map(async (table) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from ${sql.table(table)}`.execute(kysely);
        return [table, rows[0]?.count] as const;
      }),
    );
    expect(Object.fromEntries(found)).toEqual(counts);
  });

  test('answers from its documents with its API key, and keeps the message that waits to be sent', async () => {
    const environment = { DATA_DIR: emptyTestFolder(), ENCRYPTION_KEY: upgradeFixture.encryptionKey };
    const runtime = await openRuntime(testConfig(environment), log, {
      connectors: { connectors: [], findConnector: () => undefined },
      openSocketTools,
      openDatabase: open,
      openEmbedder: lendEmbedder,
    });
    const app = buildApp(runtime);
    const call = (method: 'GET' | 'POST', url: string, token: string, payload?: object) =>
      app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(payload !== undefined && { payload }),
      });
    const query = { query: 'How long do parcels to Norway take?' };
    const answered = await call('POST', '/v1/query', key, query);
    expect(answered.json()).toMatchObject({
      answer: expect.stringContaining('nine days'),
      sources: [{ title: 'Delivery' }],
    });
    const { adminToken } = runtime.installation;
    const listed = await call('GET', `/admin/v1/workspaces/${workspaceId}/documents`, adminToken);
    expect(
      listed
        .json()
        .documents.map(({ status }: { status: string }) => status)
        .sort(),
    ).toEqual(['indexed', 'indexed', 'queued']);
    const hooks = await call('GET', `/admin/v1/workspaces/${workspaceId}/webhooks`, adminToken);
    expect(hooks.json().webhooks).toHaveLength(2);
    const waiting = await kysely
      .selectFrom('outbound_part')
      .select('content')
      .where('status', '=', 'waiting')
      .execute();
    expect(waiting).toEqual([{ content: { text: 'From Oslo.' } }]);
    await app.close();
    await runtime.close();
  });
});
