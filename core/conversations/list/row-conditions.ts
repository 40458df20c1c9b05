import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

type Condition = Expression<SqlBool>;

/** Written as the partial index is, so that the planner recognises it. */
export const isWaiting = sql<SqlBool>`handover_since is not null and unanswered_since is not null`;
export const nothing = sql<SqlBool>`false`;
export function isAssignedTo(personId: string | null): Condition {
  return personId === null
    ? nothing
    : expressionBuilder<Tables, 'conversation'>()('assignee_id', '=', personId);
}

/** The visitor has written since the person last read it. */
export function isUnread(personId: string | null): Condition {
  if (personId === null) return nothing;
  return sql<SqlBool>`visitor_position > coalesce((
    select position from conversation_seen
    where conversation_seen.person_id = ${personId} and conversation_seen.conversation_id = conversation.id
  ), -1)`;
}

export function namesCustomer(text: string): Condition {
  return sql<SqlBool>`strpos(
    lower(concat_ws(' ', customer_name, customer_email, customer_phone)), lower(${text})
  ) > 0`;
}
