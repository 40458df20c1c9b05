import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { addTestChannel } from '../../helpers/stores/add-test-channel.ts';
import { rowsScanned } from '../../helpers/stores/databases/rows-scanned.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { testStores } from '../../helpers/stores/test-stores.ts';

describe.each(testEngines)('cascading deletes use an index on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const { workspaces } = testStores(database, { now: () => new Date() });
  const tenants: { readonly workspaceId: string; readonly channelId: string }[] = [];
  for (let count = 0; count < 8; count += 1) {
    const { workspace } = await workspaces.create({ name: 'Test' });
    const channelId = await addTestChannel(kysely, { workspaceId: workspace.id, channel: 'fake' });
    tenants.push({ workspaceId: workspace.id, channelId });
  }
  const client = await database.pool.connect();
  await client.query('set session_replication_role to replica');
  for (const { workspaceId, channelId } of tenants) {
    const values = [workspaceId, channelId];
    await client.query(
      `insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                  status, created_at, next_attempt_at, sent_at)
       select $2::text, $1::text, 'lane ' || number % 20, 'conv', $2::text || number, 0,
              case when number % 3 = 0 then 'agent' else 'bot' end, '{}', 'sent', now(), now(), now()
       from generate_series(1, 400) as number`,
      values,
    );
    await client.query(
      `insert into audit_entry (id, workspace_id, conversation_id, action, actor, at)
       select $2::text || number, $1::text, 'conv ' || number % 50, 'tags_changed', 'test', now()
       from generate_series(1, 400) as number`,
      values,
    );
  }
  await client.query('set session_replication_role to default');
  await client.query('analyze outbound_part, audit_entry');
  client.release();
  const [first, second] = tenants;

  test.each([
    ['outbound_part', 'a channel', sql`delete from channel where id = ${first?.channelId}`],
    ['audit_entry', 'a workspace', sql`delete from workspace where id = ${second?.workspaceId}`],
  ] satisfies readonly (readonly [keyof Tables, string, RawBuilder<unknown>])[])(
    'for rows of %s with %s',
    async (table, _, statement) => {
      await kysely.transaction().execute(async (transaction) => {
        const rows = () =>
          sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(transaction);
        const before = (await rows()).rows[0]?.count;
        // An index is used wherever there is one; so small a table would be scanned by chance.
        await sql`discard plans`.execute(transaction);
        await sql`set local enable_seqscan to off`.execute(transaction);
        const counted = await rowsScanned(transaction, table);
        await statement.execute(transaction);
        expect(await rowsScanned(transaction, table)).toBe(counted);
        expect((await rows()).rows[0]?.count).toBe((before ?? 0) - 400);
      });
    },
  );
});
