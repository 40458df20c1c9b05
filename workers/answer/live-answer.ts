import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Interruption } from '../../core/answering/answer.ts';
import type { OpenedAccount } from '../../core/channels/channel-account.ts';
import { createAccountFinder, recordActivity } from '../../core/channels/channel-accounts.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { LiveAnswer, SocketTools } from '../../core/contract/listener.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { extractSearchTerms } from '../../core/conversations/messages.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { receiveDeliveries } from '../../core/inbound/receive-deliveries.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { storedJson } from '../../core/text.ts';
import { answerLane } from './answer-lane.ts';

/** What a connector speaks over a socket with, until `signal` is aborted. */
export function openSocketTools(runtime: Runtime, account: OpenedAccount, signal: AbortSignal): SocketTools {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime), signal };
  const { id: channelId, workspaceId } = account;
  return {
    ...runtime.connectorCalls.tools(account, signal),
    ask: (delivery, hearing) => {
      recordActivity(runtime, channelId);
      return answerLive(dependencies, account, delivery, hearing);
    },
    truncateAnswer: (messageId, heard) =>
      truncateAnswer(runtime.database.kysely, { workspaceId, messageId, heard }),
  };
}

/** How often somebody looks whose answer another process is making. */
const pollMs = 100;

/** Nobody is woken for what is answered where it came; should this process die, the sweep wakes somebody. */
const noQueue = { add: async () => {}, reserve: () => null };

/**
 * Stores what somebody said and answers it here, while he listens. Where another process has the lane, its answer is
 * waited for and told whole. Null where it is not answered, or nobody listens any more before another process is done.
 */
export async function answerLive(
  dependencies: LaneDependencies,
  account: OpenedAccount,
  ...[delivery, { onText, signal }]: Parameters<SocketTools['ask']>
): Promise<LiveAnswer | null> {
  const { database, clock } = dependencies;
  const channel = { id: account.id, workspaceId: account.workspaceId };
  const stores = { ...dependencies, database: database.urgent, queue: noQueue };
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
      const dealt = await findAnsweredEvent(database.urgent, {
        channelId: account.id,
        number,
        now: clock.now(),
      });
      if (dealt !== null) return dealt.answer;
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
  /** Null where it was not answered, and will not be. */
  readonly answer: LiveAnswer | null;
}

interface Row {
  readonly is_dealt_with: boolean;
  readonly message_id: string | null;
  readonly content: string | null;
  readonly skills_fired: readonly string[] | null;
}

/**
 * What came of an event: null where it is not dealt with yet. What is collected of its answer counts as sent from then on, to
 * who asks here and nobody else.
 */
export async function findAnsweredEvent(
  database: Kysely<Tables>,
  { channelId, number, now }: { readonly channelId: string; readonly number: string; readonly now: Date },
): Promise<HandledEvent | null> {
  const { rows } = await sql<Row>`
    select handled_at is not null or failure is not null as is_dealt_with, message.id as message_id,
           message.content, message.skills_fired
    from inbound_event left join message on message.id = answer_id
    where channel_id = ${channelId} and number = ${number}
  `.execute(database);
  const [row] = rows;
  if (row !== undefined && !row.is_dealt_with) return null;
  if (row?.message_id == null) return { answer: null };
  return {
    answer: {
      messageId: row.message_id,
      text: row.content ?? '',
      handover: row.skills_fired?.includes(humanSkill) ?? false,
      parts: await takeParts(database, row.message_id, now),
    },
  };
}

async function takeParts(
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

interface Cut {
  readonly workspaceId: string;
  readonly messageId: string;
  /** All that is to be kept of it. */
  readonly heard: string;
}

/** What nobody heard of an answer was not said: it is neither shown, nor found, nor remembered. */
export async function truncateAnswer(
  database: Kysely<Tables>,
  { workspaceId, messageId, heard }: Cut,
): Promise<void> {
  await database
    .updateTable('message')
    .set({ content: heard, ended: 'cancelled', terms: [...extractSearchTerms(workspaceId, heard)] })
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .execute();
}
