import { setTimeout as wait } from 'node:timers/promises';
import { Interruption } from '../answering/interruption.ts';
import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { LiveAnswer, SocketTools } from '../contract/socket-intake.ts';
import { answerLane } from './answer-lane.ts';
import { answeredEvent } from './answered-event.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { receiveDeliveries } from './receive-deliveries.ts';

/** How often somebody looks whose answer another process is making. */
const lookMs = 100;

/** Nobody is woken for what is answered where it came; should this process die, the sweep wakes somebody. */
const nobody = { add: async () => {}, reserve: () => null };

/**
 * Stores what somebody said and answers it here, while he listens. Where another process has the lane, its answer is
 * waited for and told whole. Null where it is not answered, or nobody listens any more before another process is done.
 */
export async function askLive(
  dependencies: PipelineDependencies,
  account: OpenedAccount,
  ...[delivery, { onText, signal }]: Parameters<SocketTools['ask']>
): Promise<LiveAnswer | null> {
  const { database, clock } = dependencies;
  const channel = { id: account.id, workspaceId: account.workspaceId };
  const stores = { ...dependencies, database: database.urgent, queue: nobody };
  await receiveDeliveries(stores, channel, [delivery]);
  const number = await numberOf(dependencies, account.id, delivery);
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Interruption('cancelled'));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const key = { channelId: account.id, lane: delivery.lane };
    await answerLane(dependencies, key, { number, onText, signal: stopped.signal });
    for (;;) {
      const dealt = await answeredEvent(database.urgent, { channelId: account.id, number, now: clock.now() });
      if (dealt !== null) return dealt.answer;
      if (signal.aborted || dependencies.signal.aborted) return null;
      await wait(lookMs);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function numberOf(
  { database }: Pick<PipelineDependencies, 'database'>,
  channelId: string,
  { id }: Delivery,
): Promise<string> {
  const { number } = await database.urgent
    .selectFrom('inbound_event')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('event_id', '=', id)
    .executeTakeFirstOrThrow();
  return number;
}
