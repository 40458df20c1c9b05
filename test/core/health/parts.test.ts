import { expect, test, vi } from 'vitest';
import { recordEmbeddedBackup, recordPostgresBackup } from '../../../core/backup/last-backup.ts';
import { duties } from '../../../core/health/duties.ts';
import { Readiness } from '../../../core/health/readiness.ts';
import { countIndex } from '../../../core/knowledge/indexing/index-counts.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { workers } from '../../../workers/main.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import {
  createDatabase,
  openUnusedDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const kinds = duties.map(({ kind }) => kind);

type Parts = ConstructorParameters<typeof Readiness>[0];

/** The processes as they are, with what is different. */
function registry({ processes }: Parts, different: Partial<Parts['processes']>): Parts['processes'] {
  return {
    canWrite: () => processes.canWrite(),
    listLive: () => processes.listLive(),
    note() {},
    ...different,
  };
}

/** The report of one part, as `/readyz`, the metrics, the doctor and the dashboard read it. */
async function lookAt(runtime: Parts, part: string) {
  const readiness = new Readiness(runtime);
  const report = (await readiness.report({ isFresh: true })).find((one) => one.part === part);
  if (report === undefined) throw new TypeError(`no part ${part}`);
  return { ...report, isReady: readiness.refusal({ [part]: report.state }) === null };
}

/** The installation with processes that run these kinds of workers only. */
function withWorkers(runtime: Runtime, running: readonly string[]) {
  const live = {
    id: 'one',
    roles: ['server', 'workers', ...running],
    startedAt: new Date(),
    seenSecondsAgo: 0,
    facts: {},
  };
  return { ...runtime, processes: registry(runtime, { listLive: async () => [live] }) };
}

test('every kind of worker has a duty, and no duty is one of none', () => {
  expect(kinds.toSorted()).toEqual(Object.keys(workers).toSorted());
});

for (const engine of testEngines) {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, workspace } = await openTestPipeline({ environment });
  const { pool } = runtime.database;
  const unused = await openUnusedDatabase(engine);

  test(`on ${engine}, a kind of worker that no process runs is named while all others run`, async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    for (const kind of kinds) {
      const running = kinds.filter((one) => one !== kind);
      const readiness = new Readiness(withWorkers(runtime, running));
      const states = async () => {
        const reports = await readiness.report({ isFresh: true });
        return Object.fromEntries(reports.map(({ part, state }) => [part, state]));
      };
      expect(await states()).toMatchObject({ [kind]: 'starting' });
      vi.advanceTimersByTime(61_000);
      const others = Object.fromEntries(running.map((one) => [one, 'ok']));
      expect(await states()).toMatchObject({ ...others, [kind]: 'degraded' });
    }
    vi.useRealTimers();
  });

  test(`on ${engine}, work that waits for too long is named, with its age`, async () => {
    await runtime.processes.addRole('workers', kinds);
    await pool.query({
      text: `insert into lane (channel_id, workspace_id, lane) values ($1, $2, 'late')`,
      values: [channel.id, workspace.id],
    });
    await pool.query({
      text: `insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at)
             values ($1, $2, 'late', 'late', '{}', now() - interval '5 minutes', now() - interval '5 minutes')`,
      values: [channel.id, workspace.id],
    });
    expect(await lookAt(runtime, 'answer')).toMatchObject({
      state: 'degraded',
      seen: 'One process runs it, but the oldest work has waited 5 min.',
      isReady: true,
    });
    await pool.query(`delete from inbound_event where event_id = 'late'`);
    expect(await lookAt(runtime, 'answer')).toMatchObject({ state: 'ok' });
  });

  test(`on ${engine}, the age of the last backup is told, but not that of another database`, async () => {
    const hours = (count: number) => new Date(runtime.clock.now().getTime() - count * 3_600_000);
    const { DATA_DIR: folder, DATABASE_URL: url } = runtime.config;
    const record = async (at: Date) =>
      url === undefined
        ? recordEmbeddedBackup(folder, at)
        : recordPostgresBackup({ url, log: runtime.log }, at);
    expect(await lookAt(runtime, 'backup')).toMatchObject({ state: 'unknown', isReady: true });
    await record(hours(35));
    expect(await lookAt(runtime, 'backup')).toMatchObject({
      state: 'ok',
      seen: 'The last backup is 35 h old.',
    });
    await record(hours(37));
    expect(await lookAt(runtime, 'backup')).toMatchObject({
      state: 'degraded',
      advice: expect.stringContaining('npm run parley -- backup'),
      isReady: true,
    });
    // A database that was restored from a dump of another one has such a record.
    await pool.query(
      `update setting set value = jsonb_set(value::jsonb, '{database}', '"1/2"') where name = 'last_backup'`,
    );
    const elsewhere = { ...runtime, config: { ...runtime.config, DATA_DIR: emptyTestFolder() } };
    expect(await lookAt(elsewhere, 'backup')).toMatchObject({ state: 'unknown' });
  });

  test(`on ${engine}, a gap is work only while its questions are asked again`, async () => {
    await runtime.processes.addRole('workers', kinds);
    await pool.query({
      text: `insert into conversation (id, workspace_id, channel, started_at, last_message_at, updated_at)
             values ('conv_gap', $1, 'api', now(), now(), now())`,
      values: [workspace.id],
    });
    await pool.query({
      text: `insert into gap (id, workspace_id, kind, language, state, created_at)
             values ('gap_new', $1, 'nothing', 'en', 'open', now())`,
      values: [workspace.id],
    });
    await pool.query({
      text: `insert into gap_question (message_id, workspace_id, gap_id, conversation_id, asked_at)
             values ('msg_gap', $1, 'gap_new', 'conv_gap', now())`,
      values: [workspace.id],
    });
    expect(await lookAt(runtime, 'gaps')).toMatchObject({ state: 'ok' });
    await pool.query(`update gap set check_from = now() - interval '20 minutes' where id = 'gap_new'`);
    expect(await lookAt(runtime, 'gaps')).toMatchObject({
      state: 'degraded',
      seen: expect.stringContaining('the oldest work has waited 20 min'),
    });
    await pool.query(`delete from gap where id = 'gap_new'`);
  });

  test(`on ${engine}, a database that takes updates but cannot grow is not ready`, async () => {
    await pool.query(`
      create function refuse_growth() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await pool.query(
      `create trigger refuse before insert on storage_probe for each statement execute function refuse_growth()`,
    );
    const { processes } = runtime;
    // The registry holds what it saw for some seconds.
    const probing = registry(runtime, {
      canWrite: async () => {
        await runtime.database.kysely.insertInto('storage_probe').values({ payload: 'x' }).execute();
        return true;
      },
    });
    await expect(processes.addRole('server')).resolves.toBeUndefined();
    expect(await lookAt({ ...runtime, processes: probing }, 'database')).toMatchObject({
      state: 'failed',
      isReady: false,
    });
    // A request that met the full disk tells it too, whatever the probe says.
    expect(await lookAt(runtime, 'database')).toMatchObject({
      state: 'failed',
      seen: expect.stringContaining('No space left on device'),
    });
    await pool.query('drop function refuse_growth cascade');
  });

  test(`on ${engine}, words that are missing in the index are counted`, async () => {
    const { id } = await runtime.documents.add({
      workspaceId: workspace.id,
      bytes: Buffer.from('The kettle holds a litre.'),
      title: 'Kettle',
      contentType: 'text/plain',
      audience: [],
    });
    await pool.query({
      text: `insert into scope (workspace_id, audience, chunk_count, term_count) values ($1, '{}', 1, 2)`,
      values: [workspace.id],
    });
    const complete = `
      insert into chunk (document_number, scope_id, revision, title, ordinal, headings, body, text_hash)
      select document.number, scope.id, 1, 'Kettle', 1, '{}', 'x', 'x' from document, scope where document.id = $1`;
    await pool.query({ text: complete, values: [id] });
    await pool.query(
      `insert into posting select scope.id, term, chunk.id, 1, 2 from scope, chunk, generate_series(1, 2) term`,
    );
    await pool.query(
      `insert into chunk_vector select chunk.id, scope_id, false, array_fill(0.05::real, '{384}')::vector from chunk`,
    );
    const { kysely } = runtime.database;
    expect(await countIndex(kysely)).toEqual({ passages: 1, withoutWords: [], withoutVectors: [] });
    await pool.query('delete from posting where term = 2');
    expect(await lookAt(runtime, 'index')).toMatchObject({
      state: 'degraded',
      seen: `Passages lack words in ${workspace.id}.`,
      isReady: true,
    });
    await pool.query('delete from chunk_vector');
    expect(await countIndex(kysely)).toMatchObject({ withoutVectors: [workspace.id] });
  });

  test(`on ${engine}, a clock that is wrong and a disk that is almost full are named with their machine`, async () => {
    const live = (facts: object) => ({
      id: 'one',
      roles: kinds,
      startedAt: new Date(),
      seenSecondsAgo: 0,
      facts,
    });
    const processes = registry(runtime, {
      listLive: async () => [
        live({ host: 'web-1', clockAheadMs: 40, diskFreeBytes: 2 ** 40, diskBytes: 2 ** 41 }),
        live({ host: 'web-2', clockAheadMs: -600_000, diskFreeBytes: 2 ** 20, diskBytes: 2 ** 41 }),
      ],
    });
    expect(await lookAt({ ...runtime, processes }, 'clock')).toMatchObject({
      state: 'degraded',
      seen: "The clock of web-2 is 600.0 s behind the database's.",
    });
    expect(await lookAt({ ...runtime, processes }, 'disk')).toMatchObject({
      state: 'degraded',
      seen: '0.0 GB of 2048.0 GB free on web-2.',
    });
  });

  test(`on ${engine}, a table or an index that a restore left out is named`, async () => {
    const restored = { ...runtime, database: unused };
    expect(await lookAt(restored, 'schema')).toMatchObject({ state: 'ok', isReady: true });
    await unused.pool.query('drop index conversation_latest');
    expect(await lookAt(restored, 'schema')).toMatchObject({
      state: 'degraded',
      seen: 'Missing in the database: index conversation_latest.',
      isReady: true,
    });
    await unused.pool.query('drop table mail_digest, key_day');
    expect(await lookAt(restored, 'schema')).toMatchObject({
      state: 'failed',
      seen: expect.stringContaining('table key_day, table mail_digest'),
      isReady: false,
    });
  });
}
