import { type Kysely, sql } from 'kysely';
import { type ConversationStatus, conversationStatuses } from '../conversations/conversation-values.ts';
import { isOver } from '../conversations/is-over.ts';
import type { Tables } from '../storage/tables.ts';
import type { Visitor } from './visitor.ts';

/** The conversation that a visitor is in. */
export interface VisitorConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** The address of the person who wrote last; null where nobody did. */
  readonly agent: string | null;
}

/** The latest; null where what he says begins one. */
export async function visitorConversation(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  now: Date,
): Promise<VisitorConversation | null> {
  const { rows } = await sql<{
    id: string;
    status: string;
    resolved_at: Date | null;
    author: string | null;
  }>`
    select conversation.id, status, resolved_at, person.author
    from conversation
    left join lateral (
      select author from message
      where message.conversation_id = conversation.id and role = 'agent' order by position desc limit 1
    ) person on true
    where session_id = ${id} and workspace_id = ${workspaceId} and channel in ('widget', 'hosted')
    order by last_message_at desc
    limit 1
  `.execute(database);
  const [row] = rows;
  if (row === undefined || isOver(row, now)) return null;
  const status = conversationStatuses.find((known) => known === row.status) ?? 'open';
  return { id: row.id, status, agent: row.author };
}
