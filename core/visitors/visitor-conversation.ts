import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import type { Source, Tier } from '../contract/answer.ts';
import {
  type ConversationStatus,
  conversationStatuses,
  type Opinion,
} from '../contract/conversation-values.ts';
import type { Attachment } from '../contract/inbound.ts';
import { humanSkill } from '../contract/skill.ts';
import { type GivenFeedback, storeFeedback } from '../conversations/messages/feedback.ts';
import { type MessageRecord, messageColumns, messageFromRow } from '../conversations/messages/messages.ts';
import { isConversationOver } from '../conversations/messages/store-message.ts';
import { visitorChannelList } from '../conversations/visitor-conversations.ts';
import { authorName, memberName } from '../members/identity/author-name.ts';
import type { Database } from '../storage/database.ts';
import { isoMicroseconds } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import type { Visitor } from './visitor.ts';
import { filesOnlyText } from './visitor-files.ts';

/** The visitor's current conversation. */
export interface VisitorConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** The name of the agent who wrote last; null if no agent has. */
  readonly agent: string | null;
  readonly rating: VisitorState['rating'];
  /** The name of the person who resolved it; null if none did. */
  readonly closedBy: string | null;
}

/** Shown where no person is known, because an address of an agent is private. */
const workspaceName = sql`(select name from workspace where workspace.id = conversation.workspace_id)`;

/** Returns the visitor's latest conversation; null if the next message starts a new one. */
export async function findVisitorConversation(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  now: Date,
): Promise<VisitorConversation | null> {
  const { rows } = await sql<{
    id: string;
    status: string;
    resolved_at: Date | null;
    agent: string | null;
    asked_at: Date | null;
    score: number | null;
    closed_by: string | null;
  }>`
    select conversation.id, status, resolved_at, last.agent, asked_at, score,
      case when status = 'resolved' then (
        select case when actor like '%@%' then coalesce(${memberName(sql.ref('audit_entry.actor'))}, ${workspaceName}) end
        from audit_entry
        where audit_entry.workspace_id = ${workspaceId} and audit_entry.conversation_id = conversation.id
          and action = 'status_changed' and details ->> 'to' = 'resolved'
        order by at desc, audit_entry.id desc limit 1
      ) end as closed_by
    from conversation
    left join lateral (
      select asked_at, score from conversation_rating
      where conversation_rating.conversation_id = conversation.id order by number desc limit 1
    ) rating on true
    left join lateral (
      select coalesce(${authorName}, ${workspaceName}) as agent from message
      where message.conversation_id = conversation.id and role = 'agent' order by position desc limit 1
    ) last on true
    where session_id = ${id} and conversation.workspace_id = ${workspaceId} and channel in ${visitorChannelList}
    order by last_message_at desc
    limit 1
  `.execute(database);
  const [row] = rows;
  if (row === undefined || isConversationOver(row, now)) return null;
  const status = conversationStatuses.find((known) => known === row.status) ?? 'open';
  const rating = row.asked_at === null ? null : { score: row.score };
  return { id: row.id, status, agent: row.agent, rating, closedBy: row.closed_by };
}

/** The state of the visitor's conversation. */
export interface VisitorState {
  /** `waiting`: an agent was requested. `person`: an agent has it. `closed`: until the visitor writes again. */
  readonly status: 'open' | 'waiting' | 'person' | 'closed';
  /** The name of the agent who has the conversation, or who closed it. */
  readonly agent: string | null;
  /** The number of agents' messages that the visitor has not seen. */
  readonly unread: number;
  /** Whether a question of the visitor is being answered. */
  readonly answering: boolean;
  /** Null if the visitor is not asked for one; `score` is null while they have not answered. */
  readonly rating: { readonly score: number | null } | null;
}

const visitorStatuses = {
  open: 'open',
  snoozed: 'open',
  escalated: 'waiting',
  claimed: 'person',
  resolved: 'closed',
  archived: 'closed',
} as const;

export async function loadVisitorState(
  database: Kysely<Tables>,
  visitor: Visitor,
  now: Date,
): Promise<VisitorState> {
  const conversation = await findVisitorConversation(database, visitor, now);
  const { rows } = await sql<{ unread: number; answering: boolean }>`
    select coalesce(asking_until > ${now}, false) as answering, (
      select count(*)::int from message join conversation on conversation.id = message.conversation_id
      where conversation.session_id = visitor.id and conversation.workspace_id = visitor.workspace_id
        and conversation.channel in ${visitorChannelList} and message.role = 'agent'
        and message.created_at > visitor.read_at
    ) as unread
    from visitor where id = ${visitor.id} and workspace_id = ${visitor.workspaceId}
  `.execute(database);
  const status = conversation === null ? 'open' : visitorStatuses[conversation.status];
  const names = { open: null, waiting: null, person: conversation?.agent, closed: conversation?.closedBy };
  return {
    status,
    agent: names[status] ?? null,
    unread: rows[0]?.unread ?? 0,
    answering: rows[0]?.answering ?? false,
    rating: status === 'closed' ? (conversation?.rating ?? null) : null,
  };
}

/** A message as its visitor may see it. */
export interface VisitorMessage {
  readonly id: string;
  readonly role: MessageRecord['role'];
  readonly content: string;
  readonly createdAt: Date;
  /** The sources of an answer. */
  readonly sources: readonly Source[];
  /** Pages related to a question that was not answered. */
  readonly related: readonly Source[];
  /** The tier of an answer; null for others, and if it is unknown. */
  readonly tier: Tier | null;
  /** The sentence that answers; null if it is the content, or unknown. */
  readonly lead: string | null;
  /** The name of the agent who wrote it; null for other authors. */
  readonly author: string | null;
  /** The visitor's rating of an answer; null if there is none. */
  readonly feedback: Opinion | null;
  /** Whether the answer was interrupted. */
  readonly isCut: boolean;
  /** Whether the message announces a handover to an agent. */
  readonly isHandover: boolean;
  /** Files sent with the message. */
  readonly attachments: readonly Attachment[];
}

interface MessagesRequest extends PageRequest {
  /** Restricts the list to agents' messages. */
  readonly fromPeople?: boolean;
}

const positionSchema = z.tuple([z.iso.datetime(), z.string(), z.int()]);

/** Lists the messages of all conversations of this visitor, newest first. Throws `invalid_cursor`. */
export async function listVisitorMessages(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  { limit, cursor, fromPeople = false }: MessagesRequest,
): Promise<Page<VisitorMessage>> {
  const list = `visitor messages ${id}`;
  const time = sql.ref('message.created_at');
  let query = database
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(messageColumns.map((column) => `message.${column}` as const))
    .select(['message.ended', 'message.skills_fired', 'message.conversation_id'])
    .select(sql<string | null>`coalesce(${authorName}, ${workspaceName})`.as('agent'))
    .select(isoMicroseconds(time).as('page_time'))
    .where('conversation.session_id', '=', id)
    .where('conversation.workspace_id', '=', workspaceId)
    .where(sql<boolean>`conversation.channel in ${visitorChannelList}`)
    .orderBy('message.created_at', 'desc')
    .orderBy('message.conversation_id', 'desc')
    .orderBy('message.position', 'desc')
    .limit(limit + 1);
  if (fromPeople) query = query.where('message.role', '=', 'agent');
  if (cursor !== undefined) {
    const [at, conversation, position] = readCursor(list, cursor, positionSchema);
    query = query.where(
      sql<boolean>`(message.created_at, message.conversation_id, message.position) < (${at}::timestamptz, ${conversation}, ${position}::int)`,
    );
  }
  const rows = await query.execute();
  const { items, nextCursor } = cutPage(rows, limit, (row) =>
    writeCursor(list, [row.page_time, row.conversation_id, row.position]),
  );
  return {
    items: items.map((row) => toVisitorMessage(messageFromRow(row), row)),
    nextCursor,
  };
}

interface ShownColumns extends Pick<Tables['message'], 'ended' | 'skills_fired'> {
  /** The name of the agent. */
  readonly agent: string | null;
}

function toVisitorMessage(
  message: MessageRecord,
  { ended, skills_fired, agent }: ShownColumns,
): VisitorMessage {
  const { id, role, createdAt } = message;
  const attachments = message.role === 'assistant' ? [] : message.attachments;
  const isPerson = message.role === 'agent';
  const found = message.role === 'assistant' ? message.sources : [];
  const tier = message.role === 'assistant' ? message.tier : null;
  const lead = message.role === 'assistant' ? message.lead : null;
  return {
    id,
    role,
    content: attachments.length > 0 && message.content === filesOnlyText ? '' : message.content,
    createdAt,
    ...(tier === 'none' ? { sources: [], related: found } : { sources: found, related: [] }),
    tier,
    lead,
    author: isPerson ? agent : null,
    feedback: message.role === 'assistant' ? (message.feedback?.value ?? null) : null,
    isCut: ended !== null,
    isHandover: skills_fired?.includes(humanSkill) ?? false,
    attachments,
  };
}

/** Stores a visitor's rating of an answer that they received. Throws `message_not_found`. */
export function submitVisitorFeedback(
  {
    database,
    clock,
    scheduleDeliveries,
  }: { readonly database: Database; readonly clock: Clock; readonly scheduleDeliveries: ScheduleDeliveries },
  { id, workspaceId }: Visitor,
  judgement: Pick<GivenFeedback, 'messageId' | 'value' | 'comment'>,
): Promise<void> {
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    const row = await transaction
      .selectFrom('message')
      .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
      .select('conversation.id')
      .where('message.id', '=', judgement.messageId)
      .where('message.workspace_id', '=', workspaceId)
      .where('conversation.session_id', '=', id)
      .where(sql<boolean>`conversation.channel in ${visitorChannelList}`)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('message_not_found');
    const feedback = { ...judgement, workspaceId, conversationId: row.id, now: clock.now() };
    if ((await storeFeedback(transaction, feedback)) === null) throw new AppError('message_not_found');
  });
}
