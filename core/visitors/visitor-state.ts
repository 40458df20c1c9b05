import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { agentName } from './agent-name.ts';
import type { Visitor } from './visitor.ts';
import { visitorConversation } from './visitor-conversation.ts';

/** How things stand between a visitor and us. */
export interface VisitorState {
  /** `waiting` for a person, `person` has it, `closed` until he says something. */
  readonly status: 'open' | 'waiting' | 'person' | 'closed';
  /** The name of the person who has it. */
  readonly agent: string | null;
  /** What people said and he has not seen. */
  readonly unread: number;
  /** Whether a question of his is being answered. */
  readonly answering: boolean;
}

const shown = {
  open: 'open',
  snoozed: 'open',
  escalated: 'waiting',
  claimed: 'person',
  resolved: 'closed',
  archived: 'closed',
} as const;

export async function visitorState(
  database: Kysely<Tables>,
  visitor: Visitor,
  now: Date,
): Promise<VisitorState> {
  const conversation = await visitorConversation(database, visitor, now);
  const { rows } = await sql<{ unread: number; answering: boolean }>`
    select coalesce(asking_until > ${now}, false) as answering, (
      select count(*)::int from message join conversation on conversation.id = message.conversation_id
      where conversation.session_id = visitor.id and conversation.workspace_id = visitor.workspace_id
        and conversation.channel in ('widget', 'hosted') and message.role = 'agent'
        and message.created_at > visitor.read_at
    ) as unread
    from visitor where id = ${visitor.id} and workspace_id = ${visitor.workspaceId}
  `.execute(database);
  const status = conversation === null ? 'open' : shown[conversation.status];
  return {
    status,
    agent: status === 'person' && conversation?.agent ? agentName(conversation.agent) : null,
    unread: rows[0]?.unread ?? 0,
    answering: rows[0]?.answering ?? false,
  };
}
