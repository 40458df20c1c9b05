import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { laneSessionId } from '../../../../core/channels/inbound/lane.ts';
import { toStoredParts } from '../../../../core/channels/outbound/outbox.ts';
import { channelTurnCompanion } from '../../../../core/channels/outbound/sent-batches.ts';
import { storeTurns, toTurnRow } from '../../../../core/conversations/messages/store-turns.ts';
import { plainTurn } from '../../../helpers/models/plain-turn.ts';
import { countLockWaits } from '../../../helpers/stores/databases/count-lock-waits.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('channel turns on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, workspace, channel } = await openTestPipeline({ environment });
  const { kysely, pool } = runtime.database;
  const now = runtime.clock.now();
  const keyOf = (place: number) => ({ channelId: channel.id, lane: `lane ${place}` });

  /** A leased lane with a waiting part. */
  async function laneWithPart(place: number) {
    const [conversation, message] = [`conv_${place}`, `msg_${place}`];
    await sql`
      insert into conversation (id, workspace_id, channel, session_id, started_at, last_message_at, message_count)
      values (${conversation}, ${workspace.id}, 'fake', ${laneSessionId(keyOf(place))}, ${now}, ${now}, 1)
    `.execute(kysely);
    await sql`
      insert into message (id, conversation_id, workspace_id, position, role, content, created_at)
      values (${message}, ${conversation}, ${workspace.id}, 0, 'assistant', 'Yes.', ${now})
    `.execute(kysely);
    await sql`
      insert into lane (channel_id, lane, workspace_id, address, conversation_id, holder, held_until)
      values (${channel.id}, ${keyOf(place).lane}, ${workspace.id}, '{}', ${conversation},
              'holder', clock_timestamp() + interval '1 minute')
    `.execute(kysely);
    await sql`
      insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                 created_at, next_attempt_at)
      values (${channel.id}, ${workspace.id}, ${keyOf(place).lane}, ${conversation}, ${message}, 0, 'bot', '{}', ${now},
              ${now})
    `.execute(kysely);
  }

  function turnIn(place: number) {
    const stored = { conversationId: `conv_${place}`, messageId: `msg_${place}_answer` };
    const answer = { text: 'No.', sources: [], score: 1, tokensUsed: 0, skillsFired: [] };
    const turn = {
      ...{ workspaceId: workspace.id, channel: 'fake', ...stored, sessionId: laneSessionId(keyOf(place)) },
      ...{ customer: null, userId: null, question: 'And?', metadata: null, latencyMs: 1, ended: null },
      answer: { ...plainTurn('w').answer, ...answer },
      effects: [],
      awaited: undefined,
      decision: null,
    };
    const values = {
      ...{
        channel_id: channel.id,
        lane: keyOf(place).lane,
        lane_token: 'holder',
      },
      ...{ address: {}, parts: toStoredParts([{ content: { text: 'No.' } }]), events: [], said_at: now },
    };
    const companion = { kind: channelTurnCompanion, values, errorOf: (error: unknown) => error };
    return { row: toTurnRow(turn, stored, now), companion };
  }

  const statuses = (place: number) =>
    kysely
      .selectFrom('outbound_part')
      .select('status')
      .where('lane', '=', keyOf(place).lane)
      .orderBy('number')
      .execute();

  test.runIf(engine === 'postgres')('never lock a lane while they wait for its conversation', async () => {
    await laneWithPart(4);
    let storing: Promise<unknown> = Promise.resolve();
    await kysely.transaction().execute(async (transaction) => {
      await sql`select from conversation where id = 'conv_4' for update`.execute(transaction);
      storing = storeTurns(kysely, { kind: channelTurnCompanion, turns: [turnIn(4)] });
      await vi.waitUntil(async () => (await countLockWaits(pool)) > 0);
      await sql`select from lane where lane = 'lane 4' for update nowait`.execute(transaction);
    });
    await storing;
    expect(await statuses(4)).toEqual([{ status: 'waiting' }, { status: 'waiting' }]);
  });
});
