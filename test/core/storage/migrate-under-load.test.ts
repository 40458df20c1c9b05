import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { migrate } from '../../../core/storage/migrate.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { dumpCatalogue } from '../../helpers/stores/databases/dump-catalogue.ts';
import {
  createBareDatabase,
  openUnusedDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';
import { upgradeFixture } from '../../helpers/stores/databases/upgrade-fixture.ts';

const log = createLog('silent');

/** A database as version 0070 left it, with a few thousand more messages. */
async function restore(): Promise<Kysely<Tables>> {
  const url = await createBareDatabase();
  await upgradeFixture.restorePostgres(url);
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=public,bullmq', max: 20 });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  afterAll(() => kysely.destroy());
  const { workspaceId } = upgradeFixture.facts('postgres');
  await sql`
    insert into conversation (id, workspace_id, channel, started_at, last_message_at, customer_name)
    select 'many_' || number, ${workspaceId}, 'api', now(), now(), 'Visitor ' || number
    from generate_series(1, 3000) as number`.execute(kysely);
  return kysely;
}

/** Upgrades until a step is done, as a process that dies there. */
async function upgradeUntil(kysely: Kysely<Tables>, last: string): Promise<void> {
  const onStep = (name: string) => {
    if (name === last) throw new Error('killed');
  };
  await expect(migrate(kysely, { log, onStep })).rejects.toThrow('killed');
}

async function expectCurrent(kysely: Kysely<Tables>): Promise<void> {
  const fresh = await openUnusedDatabase('postgres');
  expect(await dumpCatalogue(kysely)).toEqual(await dumpCatalogue(fresh.kysely));
  const { rows } = await sql<{ missing: number }>`
    select count(*)::int as missing from conversation
    where customer_name is not null and not exists (
      select from customer_search where conversation_id = conversation.id
    )`.execute(kysely);
  expect(rows).toEqual([{ missing: 0 }]);
}

describe.skipIf(!testEngines.includes('postgres'))('an upgrade on a PostgreSQL server', () => {
  test('lets a session go on that holds a small table and then needs a large one', async () => {
    const kysely = await restore();
    await upgradeUntil(kysely, '0076-members/1');
    const { migration } = await kysely.transaction().execute(async (transaction) => {
      await sql`select count(*) from document`.execute(transaction);
      const migration = migrate(kysely, { log });
      const waiting = sql<{ count: number }>`
        select count(*)::int as count from pg_locks where not granted and relation = 'document'::regclass`;
      await expect.poll(async () => (await waiting.execute(kysely)).rows[0]?.count).toBe(1);
      // The migration holds none of them: these statements would wait for ever.
      await sql`update conversation set message_count = message_count where id = 'many_1'`.execute(
        transaction,
      );
      await sql`select count(*) from message`.execute(transaction);
      return { migration };
    });
    await migration;
    await expectCurrent(kysely);
  });

  test('ends while sessions hold locks of small tables and wait for those of large ones, and cancels none', async () => {
    const kysely = await restore();
    let ended = false;
    const statements = [
      ['select count(*) from api_key', 'select count(*) from corpus', 'select count(*) from channel'],
      ['select count(*) from workspace', 'select count(*) from document', 'select count(*) from audit_entry'],
    ].map((small) => [
      ...small,
      "update conversation set customer_name = 'Another' where id = ",
      'select count(*) from message where conversation_id = ',
    ]);
    const session = async (number: number): Promise<number> => {
      let rounds = 0;
      for (; !ended; rounds += 1) {
        const id = `'many_${((number * 500 + rounds) % 3000) + 1}'`;
        const texts = statements[number % 2] ?? [];
        const ordered = number % 3 === 0 ? texts.toReversed() : texts;
        await kysely.transaction().execute(async (transaction) => {
          for (const text of ordered)
            await sql.raw(text.endsWith('= ') ? text + id : text).execute(transaction);
        });
      }
      return rounds;
    };
    const sessions = Promise.all([0, 1, 2, 3, 4, 5].map(session));
    await migrate(kysely, { log });
    ended = true;
    for (const rounds of await sessions) expect(rounds).toBeGreaterThan(0);
    await expectCurrent(kysely);
  });

  test('creates an index anew whose creation was interrupted', async () => {
    const kysely = await restore();
    await upgradeUntil(kysely, '0087-document-use/1');
    const unfinished = sql`create unique index concurrently conversation_priority on conversation (workspace_id)`;
    await expect(unfinished.execute(kysely)).rejects.toThrow(/conversation_priority/);
    await migrate(kysely, { log });
    await expectCurrent(kysely);
  });

  test('does no step of a migration that was recorded as a whole', async () => {
    const { kysely } = await openUnusedDatabase('postgres');
    await sql`delete from migration where name = '0095-unmarked-addresses'`.execute(kysely);
    await sql`alter table sign_in_provider drop column trusts_addresses`.execute(kysely);
    const steps: string[] = [];
    await migrate(kysely, { log, onStep: (name) => steps.push(name) });
    expect(steps).toEqual(['0095-unmarked-addresses/1', 'functions']);
  });
});
