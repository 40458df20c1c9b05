import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { storedJson } from '../../core/base/text.ts';
import type { OpenedAccount } from '../../core/channels/channel-account.ts';
import { createAccountFinder, recordActivity } from '../../core/channels/channel-accounts.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { receiveDeliveries } from '../../core/channels/inbound/receive-deliveries.ts';
import { Interruption } from '../../core/contract/answer.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { LiveAnswer, SocketTools } from '../../core/contract/listener.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { extractSearchTerms } from '../../core/conversations/messages.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
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
  const number = await findEventNumber(dependencies, account.id, delivery);
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

async function findEventNumber(
  { database }: Pick<LaneDependencies, 'database'>,
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

interface HandledEvent {
  /** Null if the event got no answer and will get none. */
  readonly answer: LiveAnswer | null;
}

interface Row {
  readonly is_handled: boolean;
  readonly message_id: string | null;
  readonly content: string | null;
  readonly skills_fired: readonly string[] | null;
}

/**
 * Returns the answer to an event, or null while the event is unhandled. Marks the collectable parts as sent, so
 * that only this caller receives them.
 */
export async function findAnsweredEvent(
  database: Kysely<Tables>,
  { channelId, number, now }: { readonly channelId: string; readonly number: string; readonly now: Date },
): Promise<HandledEvent | null> {
  const { rows } = await sql<Row>`
    select handled_at is not null or failure is not null as is_handled, message.id as message_id,
           message.content, message.skills_fired
    from inbound_event left join message on message.id = answer_id
    where channel_id = ${channelId} and number = ${number}
  `.execute(database);
  const [row] = rows;
  if (row !== undefined && !row.is_handled) return null;
  if (row?.message_id == null) return { answer: null };
  return {
    answer: {
      messageId: row.message_id,
      text: row.content ?? '',
      handover: row.skills_fired?.includes(humanSkill) ?? false,
      parts: await collectParts(database, row.message_id, now),
    },
  };
}

async function collectParts(
  database: Kysely<Tables>,
  messageId: string,
  now: Date,
): Promise<readonly OutboundPart[]> {
  await database
    .updateTable('outbound_part')
    .set({ status: 'sent', sent_at: now })
    .where('message_id', '=', messageId)
    .where('status', '=', 'collectable')
    .execute();
  const parts = await database
    .selectFrom('outbound_part')
    .select(['content', 'status'])
    .where('message_id', '=', messageId)
    .orderBy('part')
    .execute();
  return parts.map(({ content, status }) => ({
    content: storedJson.parse(content),
    ...(status === 'held' && { onRequest: true }),
  }));
}

interface InterruptedAnswer {
  readonly workspaceId: string;
  readonly messageId: string;
  /** The text that the client received. */
  readonly heard: string;
}

/**
 * Truncates an interrupted answer to the text that the client received: the rest is not shown, searched or
 * remembered.
 */
export async function truncateAnswer(
  database: Kysely<Tables>,
  { workspaceId, messageId, heard }: InterruptedAnswer,
): Promise<void> {
  await database
    .updateTable('message')
    .set({ content: heard, ended: 'cancelled', terms: [...extractSearchTerms(workspaceId, heard)] })
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .execute();
}
