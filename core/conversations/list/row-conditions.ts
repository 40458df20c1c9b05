import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { extractSearchTerms } from '../messages/messages.ts';

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

/** Whether the index of names can find the text: a shorter one has no parts. */
export function hasNameParts(text: string): boolean {
  return [...text].length >= 3;
}

/** Selects the ids of conversations that `namesCustomer` can match. */
export function selectByCustomer(workspaceId: string, text: string): RawBuilder<unknown> {
  return sql`
    select conversation_id as id from customer_search where parts @> customer_parts(${workspaceId}, ${text})`;
}

/**
 * Matches conversations with a message that contains all words of the text, and for which `also` holds if it is given. A text
 * without words matches nothing.
 */
export function containsTerms(
  workspaceId: string,
  text: string,
  also: Condition = sql<SqlBool>`true`,
): Condition {
  const terms = [...extractSearchTerms(workspaceId, text)];
  if (terms.length === 0) return nothing;
  return sql<SqlBool>`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.terms @> ${terms}::integer[]
      and ${also}
  )`;
}

/** Selects the ids of conversations that `containsTerms` matches, some of them more than once. */
export function selectByTerms(workspaceId: string, text: string): RawBuilder<unknown> {
  const terms = [...extractSearchTerms(workspaceId, text)];
  if (terms.length === 0) return sql`select null::text as id where false`;
  return sql`
    select conversation_id as id from message
    where workspace_id = ${workspaceId} and terms @> ${terms}::integer[]`;
}
