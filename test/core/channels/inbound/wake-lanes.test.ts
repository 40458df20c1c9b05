import { describe, expect, test } from 'vitest';
import { wakeLanes } from '../../../../core/channels/inbound/wake-lanes.ts';
import { addTestChannel } from '../../../helpers/stores/add-test-channel.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { testStores } from '../../../helpers/stores/test-stores.ts';

/** More lanes than one sweep wakes. */
const many = 600;

describe.each(testEngines)('a sweep on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely, pool } = database;
  const { workspaces } = testStores(database, { now: () => new Date() });
  const addChannel = async (lanes: number) => {
    const { workspace } = await workspaces.create({ name: 'Test' });
    const id = await addTestChannel(kysely, { workspaceId: workspace.id, channel: 'fake' });
    const client = await pool.connect();
    // Parts refer to messages, which this test does not read.
    await client.query('set session_replication_role to replica');
    await client.query(
      `insert into lane (channel_id, lane, workspace_id, address)
       select $1::text, 'lane ' || number, $2::text, '{}' from generate_series(1, $3::int) as number`,
      [id, workspace.id, lanes],
    );
    await client.query(
      `insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at)
       select channel_id, workspace_id, lane, lane, '{}', now() - interval '1 hour', now() - interval '1 hour'
       from lane where channel_id = $1`,
      [id],
    );
    await client.query(
      `insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                  created_at, next_attempt_at)
       select channel_id, workspace_id, lane, 'conv', channel_id || lane, 0, 'bot', '{}', now(), now() - interval '1 hour'
       from lane where channel_id = $1`,
      [id],
    );
    await client.query('set session_replication_role to default');
    client.release();
    return id;
  };

  test('wakes lanes of every channel, however many lanes of one channel wait', async () => {
    const stuck = await addChannel(many);
    const other = await addChannel(2);
    const woken: string[] = [];
    const queue = {
      add: async (name: string, _id: string, payload: object) => {
        if ('channelId' in payload) woken.push(`${name} ${payload.channelId}`);
      },
    };
    await wakeLanes(kysely, queue, { now: new Date(), round: 'one' });
    for (const name of ['answer', 'deliver']) {
      expect(woken.filter((one) => one === `${name} ${other}`)).toHaveLength(2);
      expect(woken.filter((one) => one === `${name} ${stuck}`)).toHaveLength(498);
    }
  });
});
