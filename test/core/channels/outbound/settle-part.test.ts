import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  findNextPart,
  postponePart,
  settlePart,
  settleSentParts,
  type WaitingPart,
} from '../../../../core/channels/outbound/outbox.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

const waiting = 5_000;

describe.each(testEngines)('settled parts on %s while many wait', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, workspace, channel } = await openTestPipeline({ environment });
  const { kysely } = runtime.database;
  const now = runtime.clock.now();

  await sql`
    insert into conversation (id, workspace_id, channel, started_at, last_message_at)
    values ('conv_1', ${workspace.id}, 'fake', ${now}, ${now})
  `.execute(kysely);
  await sql`
    insert into message (id, conversation_id, workspace_id, position, role, content, created_at)
    values ('msg_1', 'conv_1', ${workspace.id}, 0, 'assistant', 'Yes.', ${now})
  `.execute(kysely);
  /** Returns the part of a lane of its own, looked up as workers do. */
  const partOf = async (place: number): Promise<WaitingPart> => {
    const part = await findNextPart(kysely, { channelId: channel.id, lane: `lane ${place}` });
    if (part === null) throw new Error('nothing waits there');
    return part;
  };
  /** Number of reads of the index of waiting parts. */
  const pagesRead = async (): Promise<number> => {
    await sql`select pg_stat_force_next_flush()`.execute(kysely);
    const { rows } = await sql<{ pages: number }>`
      select (idx_blks_hit + idx_blks_read)::int as pages from pg_statio_user_indexes
      where indexrelname = 'outbound_part_waiting'
    `.execute(kysely);
    return rows[0]?.pages ?? 0;
  };

  test('are found without reading the others', async () => {
    const settle = async (place: number) => {
      const { number, attempts } = await partOf(place);
      const lane = { channelId: channel.id, lane: `lane ${place}`, token: 'ours' };
      const sent = { ...lane, number, attempts, platformMessageId: `${place}`, sentAt: now };
      await settleSentParts(kysely, [sent]);
    };
    const fill = (from: number, to: number) =>
      sql`
        with lanes as (
          insert into lane (channel_id, lane, workspace_id, address)
          select ${channel.id}, 'lane ' || place, ${workspace.id}, '{}' from generate_series(${from}::int, ${to}::int) as place
        )
        insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                   created_at, next_attempt_at)
        select ${channel.id}, ${workspace.id}, 'lane ' || place, 'conv_1', 'msg_1', place, 'bot', '{}', ${now}, ${now}
        from generate_series(${from}::int, ${to}::int) as place
      `.execute(kysely);
    // Sessions plan the statement while hardly any part waits.
    await fill(1, 20);
    for (let place = 1; place <= 10; place += 1) await settle(place);
    await fill(21, waiting);
    const before = await pagesRead();
    await settle(21);
    await postponePart(kysely, await partOf(22), { at: now, attempts: 1, failure: 'Not now.' });
    await settlePart(runtime, await partOf(23), {
      status: 'failed',
      failure: 'Never.',
    });
    expect((await pagesRead()) - before).toBeLessThan(waiting / 100);
    expect(await findNextPart(kysely, { channelId: channel.id, lane: 'lane 21' })).toBeNull();
  });

  test('return the next part of their lane if the sender still holds it', async () => {
    await sql`
      insert into lane (channel_id, lane, workspace_id, address, holder, held_until)
      values (${channel.id}, 'long', ${workspace.id}, '{}', 'ours', now() + interval '1 minute')
    `.execute(kysely);
    await sql`
      insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                 created_at, next_attempt_at)
      select ${channel.id}, ${workspace.id}, 'long', 'conv_1', 'msg_1', 10000 + place, 'bot', '{}', ${now}, ${now}
      from generate_series(1, 3) as place
    `.execute(kysely);
    const lane = { channelId: channel.id, lane: 'long' };
    const settleNext = async (token: string) => {
      const part = await findNextPart(kysely, lane);
      if (part === null) throw new Error('nothing waits there');
      const { number, attempts } = part;
      const sent = { ...lane, token, number, attempts, platformMessageId: number, sentAt: now };
      return (await settleSentParts(kysely, [sent]))(sent);
    };
    expect(await settleNext('ours')).toMatchObject({ next: { part: {} } });
    expect(await settleNext('another’s before')).toEqual({ next: null, isReleased: true });
    expect(await findNextPart(kysely, lane)).not.toBeNull();
  });

  test('are deleted together with their conversation', async () => {
    await kysely.deleteFrom('conversation').where('id', '=', 'conv_1').execute();
    expect(await kysely.selectFrom('outbound_part').select('number').execute()).toEqual([]);
  });
});
