import { type Kysely, sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { ConversationRef } from '../contract/account.ts';
import { namedActor } from '../contract/actor.ts';
import { isVisitorChannel } from '../contract/conversation-values.ts';
import { type RatingPurpose, storeMessage } from '../conversations/messages/store-message.ts';
import { visitorChannelList } from '../conversations/visitor-conversations.ts';
import { chooseLanguage } from '../language/language.ts';
import { findText } from '../language/localised-texts.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import type { OpenAccount } from './accounts/channel-account.ts';
import type { LaneKey } from './inbound/lane.ts';
import { queueParts } from './outbound/outbox.ts';
import { findReplyLane, toReplyWindow } from './outbound/reply-window.ts';

/** An agent who resolves without a reply can undo it so long, before the visitor is asked. */
export const ratingDelayMs = 10_000;
/** Visitors rate a conversation by a message so long after they were asked. */
const ratingPeriodMs = 7 * 24 * 60 * 60 * 1_000;

interface Resolution {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** The person who resolved the conversation. */
  readonly personId: string | null;
  readonly now: Date;
  /** The enabled accounts that the conversation may be in, by the id of the channel. */
  readonly accounts: ReadonlyMap<string, OpenAccount>;
  /** How long the message that asks waits before it is sent. */
  readonly delayMs: number;
}

/** The queued message that asks for a rating. Its lane is to be woken after the commit and the delay. */
export interface RatingQuestion {
  readonly messageId: string;
  readonly key: LaneKey;
  readonly delayMs: number;
}

/**
 * Asks the visitor for a rating, in the transaction that resolves the conversation and holds its lock: only where a person
 * has replied and the workspace wants it. The widget and the page show a form; on other channels a message asks, unless
 * the visitor opted out or the platform accepts none now. A new resolution
 * asks again, and what the visitor said of an earlier one stays. Returns the message, if any.
 */
export async function askForRating(
  transaction: Transaction<Tables>,
  resolution: Resolution,
): Promise<RatingQuestion | null> {
  const { workspaceId, conversationId, personId, now } = resolution;
  const { rows } = await sql<{ channel: string }>`
    select channel from conversation join workspace on workspace.id = workspace_id
    where conversation.id = ${conversationId} and workspace_id = ${workspaceId}
      and coalesce(workspace.settings ->> 'ask_for_rating', 'true') = 'true'
      and exists (select from message where message.conversation_id = conversation.id and role = 'agent')
  `.execute(transaction);
  const [asked] = rows;
  if (asked === undefined) return null;
  // The chats of this installation have a form.
  const hasForm = isVisitorChannel(asked.channel);
  const question = hasForm ? null : await queueQuestion(transaction, resolution);
  if (question === null && !hasForm) return null;
  await transaction
    .insertInto('conversation_rating')
    .values({
      ...{ conversation_id: conversationId, workspace_id: workspaceId, person_id: personId, asked_at: now },
      question_id: question?.messageId ?? null,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from conversation_rating
        where conversation_id = ${conversationId})`,
    })
    .execute();
  return question;
}

/** Null if no message asks on this channel, or if the visitor cannot or does not want to receive one now. */
async function queueQuestion(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, now, accounts, delayMs }: Resolution,
): Promise<RatingQuestion | null> {
  const lane = await findReplyLane(transaction, { workspaceId, conversationId });
  const open = lane === null ? undefined : accounts.get(lane.channelId);
  if (lane === null || open === undefined || !lane.isOpen || !open.connector.about.asksForRating) return null;
  const { to, heardAt, channelId } = lane;
  if (toReplyWindow(open, { to, heardAt, now })?.isOpen === false) return null;
  const language = await findVisitorLanguage(transaction, { workspaceId, conversationId });
  const messageId = await queueRatingMessage(transaction, {
    ...{ workspaceId, conversationId, open, to, language, now },
    purpose: 'rating_question',
    replyTo: null,
  });
  if (delayMs > 0) {
    await transaction
      .updateTable('outbound_part')
      .set({ next_attempt_at: new Date(now.getTime() + delayMs) })
      .where('message_id', '=', messageId)
      .execute();
  }
  return { messageId, key: { channelId, lane: to.lane }, delayMs };
}

interface ConversationKey {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/** The number of latest messages that tell the language. */
const tellingMessages = 10;

/**
 * Returns the language of what the visitor and, if they wrote too little, an agent wrote last, so that question and thanks
 * are in the same language. ISO 639-1.
 */
async function findVisitorLanguage(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId }: ConversationKey,
): Promise<string> {
  const rows = await transaction
    .selectFrom('message')
    .select(['role', 'content'])
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('role', 'in', ['user', 'agent'])
    .where('purpose', 'is', null)
    .orderBy('position', 'desc')
    .limit(tellingMessages)
    .execute();
  const wroteBy = (author: string) =>
    rows.filter(({ role }) => role === author).map(({ content }) => content);
  return chooseLanguage([...wroteBy('user'), ...wroteBy('agent')], []);
}

interface RatingMessage extends ConversationKey {
  readonly open: OpenAccount;
  readonly to: ConversationRef;
  readonly language: string;
  readonly now: Date;
  readonly purpose: Extract<RatingPurpose, 'rating_question' | 'rating_thanks'>;
  /** The platform's id of the visitor's message that it answers. */
  readonly replyTo: string | null;
}

/** Stores and queues a message of the bot. Returns its id. */
async function queueRatingMessage(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, open, to, language, now, purpose, replyTo }: RatingMessage,
): Promise<string> {
  const { askRating, rated } = findText('channel', language);
  const text = purpose === 'rating_question' ? askRating : rated;
  const messageId = await storeMessage(transaction, {
    ...{ workspaceId, conversationId, purpose, now },
    role: 'assistant',
    content: text,
    metadata: null,
    author: null,
    isIdle: true,
  });
  const { connector, account } = open;
  const reply = { id: messageId, author: 'bot', text, sources: [], replyTo, offers: [], language } as const;
  await queueParts(transaction, {
    ...{ workspaceId, conversationId, messageId, to, now },
    channelId: account.id,
    author: 'bot',
    parts: connector.open(account).render({ ...reply, handover: false }, to),
  });
  return messageId;
}

/**
 * Takes back the question of a conversation that is opened again, if nothing of it was sent. While a worker holds the
 * lane, it may be sending the question, which then stays.
 */
export async function withdrawRatingQuestion(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId }: ConversationKey,
): Promise<void> {
  await sql`
    with unsent as materialized (
      select part.message_id from conversation_rating as asked
      join outbound_part as part on part.message_id = asked.question_id
      join lane on lane.channel_id = part.channel_id and lane.lane = part.lane
      where asked.conversation_id = ${conversationId} and asked.workspace_id = ${workspaceId}
        and (lane.holder is null or lane.held_until < clock_timestamp())
        and not exists (
          select from outbound_part as other
          where other.message_id = asked.question_id and (other.status <> 'waiting' or other.attempts > 0)
        )
      for update of lane skip locked
    ), withdrawn as (
      update outbound_part set status = 'withheld', failure = 'The conversation was opened again.'
      where message_id in (select message_id from unsent)
    )
    delete from conversation_rating where question_id in (select message_id from unsent)
  `.execute(transaction);
}

interface MessageRating {
  readonly held: LaneKey;
  readonly open: OpenAccount;
  readonly to: ConversationRef;
  /** Numbers of the visitor's events. */
  readonly numbers: readonly string[];
  readonly score: number;
  readonly comment: string | null;
  /** The text as the visitor wrote it. */
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The platform's id of their message. */
  readonly replyTo: string | null;
  readonly now: Date;
}

/**
 * Stores a visitor's message as their rating and queues the thanks; the conversation stays resolved. Returns the id of the
 * conversation; null, and stores nothing, unless the visitor was asked on this channel in the last seven days, before they
 * wrote, and nobody has opened the conversation again.
 */
export async function rateByMessage(
  transaction: Transaction<Tables>,
  { held, open, to, numbers, score, comment, content, metadata, replyTo, now }: MessageRating,
): Promise<string | null> {
  const { workspaceId } = open;
  const since = new Date(now.getTime() - ratingPeriodMs);
  const { rows } = await sql<{ id: string; number: number }>`
    select conversation.id, asked.number from lane
    join conversation on conversation.id = lane.conversation_id
    join conversation_rating as asked on asked.conversation_id = conversation.id and asked.number = (
      select max(number) from conversation_rating where conversation_id = conversation.id
    )
    where lane.channel_id = ${held.channelId} and lane.lane = ${held.lane} and conversation.workspace_id = ${workspaceId}
      and conversation.status = 'resolved' and asked.asked_at > ${since} and asked.question_id is not null
      and asked.asked_at <= (
        select min(received_at) from inbound_event
        where channel_id = ${held.channelId} and number = any(${[...numbers]}::bigint[])
      )
      and not exists (
        select from outbound_part
        where message_id = asked.question_id and status not in ('sent', 'delivered', 'read')
      )
    for update of conversation
  `.execute(transaction);
  const [asked] = rows;
  if (asked === undefined) return null;
  const conversationId = asked.id;
  const language = await findVisitorLanguage(transaction, { workspaceId, conversationId });
  await storeMessage(transaction, {
    ...{ workspaceId, conversationId, content, metadata, now },
    role: 'user',
    author: null,
    isIdle: true,
    purpose: 'rating',
  });
  await transaction
    .updateTable('conversation_rating')
    .set({ score, comment, rated_at: now })
    .where('conversation_id', '=', conversationId)
    .where('number', '=', asked.number)
    .where('workspace_id', '=', workspaceId)
    .execute();
  await writeRated(transaction, { id: conversationId, workspaceId, score, now });
  await queueRatingMessage(transaction, {
    ...{ workspaceId, conversationId, open, to, language, now, replyTo },
    purpose: 'rating_thanks',
  });
  return conversationId;
}

interface Rated {
  readonly id: string;
  readonly workspaceId: string;
  readonly score: number;
  readonly now: Date;
}

function writeRated(transaction: Transaction<Tables>, { id, workspaceId, score, now }: Rated): Promise<void> {
  const target = { id, workspaceId, actor: namedActor('visitor'), at: now };
  return writeAuditEntries(transaction, target, [{ action: 'rated', details: { score } }]);
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/**
 * Stores the rating that a visitor of the widget or page gives the last resolution of their latest conversation; only they can
 * change it, until the next resolution. Webhooks receive `conversation.rated`. Throws `rating_not_asked`.
 */
export async function rateConversation(
  stores: Stores,
  { id: visitorId, workspaceId }: Visitor,
  { score, comment }: { readonly score: number; readonly comment: string | null },
): Promise<void> {
  const now = stores.clock.now();
  await eventTransaction(stores, async (transaction) => {
    const { rows } = await sql<{ conversation_id: string }>`
      update conversation_rating set score = ${score}, comment = ${comment}, rated_at = ${now}
      where (conversation_id, number) = (
        select conversation_id, max(number) from conversation_rating
        where conversation_id = (
          select id from conversation
          where session_id = ${visitorId} and workspace_id = ${workspaceId} and channel in ${visitorChannelList}
          order by last_message_at desc limit 1
        )
        group by conversation_id
      )
      returning conversation_id
    `.execute(transaction);
    const id = rows[0]?.conversation_id;
    if (id === undefined) throw new AppError('rating_not_asked');
    await writeRated(transaction, { id, workspaceId, score, now });
  });
}
