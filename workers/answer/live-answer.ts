import { setTimeout as wait } from 'node:timers/promises';
import type { OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import { createAccountFinder, recordActivity } from '../../core/channels/accounts/channel-accounts.ts';
import { findEventNumber } from '../../core/channels/inbound/event-records.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { receiveDeliveries } from '../../core/channels/inbound/receive-deliveries.ts';
import { findAnsweredEvent } from '../../core/channels/outbound/collected-parts.ts';
import { Interruption } from '../../core/contract/answer.ts';
import type { LiveAnswer, SocketTools } from '../../core/contract/listener.ts';
import { truncateAnswer } from '../../core/conversations/messages/edited-messages.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { answerLane } from './answer-lane.ts';

/** Returns the tools that a connector uses on an open socket, until `signal` is aborted. */
export function openSocketTools(runtime: Runtime, account: OpenedAccount, signal: AbortSignal): SocketTools {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime), signal };
  const { id: channelId, workspaceId } = account;
  return {
    ...runtime.connectorCalls.tools(account, signal),
    ask: (delivery, client) => {
      recordActivity(runtime, channelId);
      return answerLive(dependencies, account, delivery, client);
    },
    truncateAnswer: (messageId, heard) =>
      truncateAnswer(runtime.database.kysely, { workspaceId, messageId, heard }),
  };
}

/** Poll interval while another process generates the answer. */
const pollMs = 100;

/**
 * Live turns are answered in this process, so no worker is woken. If this process dies, the sweep wakes a
 * worker.
 */
const noopQueue = { add: async () => {}, reserve: () => null };

/**
 * Stores a delivery and answers it in this process while the client listens. If another process holds the lane,
 * waits for its answer and returns it whole. Returns null if the event gets no answer, or if the client
 * disconnects before another process has finished.
 */
export async function answerLive(
  dependencies: LaneDependencies,
  account: OpenedAccount,
  ...[delivery, { onText, signal }]: Parameters<SocketTools['ask']>
): Promise<LiveAnswer | null> {
  const { database, clock } = dependencies;
  const channel = { id: account.id, workspaceId: account.workspaceId };
  const stores = { ...dependencies, database: database.urgent, queue: noopQueue };
  await receiveDeliveries(stores, channel, [delivery]);
  const number = await findEventNumber(dependencies.database.urgent, account.id, delivery);
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Interruption('cancelled'));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const key = { channelId: account.id, lane: delivery.lane };
    await answerLane(dependencies, key, { number, onText, signal: stopped.signal });
    for (;;) {
      const handled = await findAnsweredEvent(database.urgent, {
        channelId: account.id,
        number,
        now: clock.now(),
      });
      if (handled !== null) return handled.answer;
      if (signal.aborted || dependencies.signal.aborted) return null;
      await wait(pollMs);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
