import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { SlaPolicy } from '../workspaces/workspace-settings.ts';
import type { ConversationFilters } from './conversation-filters.ts';
import { messageTerms } from './message-terms.ts';
import { slaCondition } from './sla-condition.ts';

type Builder = ExpressionBuilder<Tables, 'conversation'>;

interface Scale {
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
}

/** The filters as one condition on `conversation`; `scale` is what the SLA is measured by. */
export function filterConversations(
  is: Builder,
  filters: ConversationFilters,
  scale: Scale,
): Expression<SqlBool> {
  const { channel, status, tags, since, until, text, email, slaState } = filters;
  const conditions: Expression<SqlBool>[] = [is('workspace_id', '=', filters.workspaceId)];
  if (channel !== undefined) conditions.push(is('channel', '=', channel));
  if (status !== undefined) conditions.push(is('status', '=', status));
  if (tags.length > 0) conditions.push(sql`tags @> ${[...tags]}::text[]`);
  if (since !== undefined) conditions.push(is('started_at', '>', since));
  if (until !== undefined) conditions.push(is('started_at', '<', until));
  if (email !== undefined) conditions.push(sql`lower(customer_email) = lower(${email})`);
  if (slaState !== undefined) conditions.push(slaCondition(is, { ...scale, state: slaState }));
  if (text !== undefined) conditions.push(says(filters.workspaceId, text));
  return is.and(conditions);
}

/** Whether one message has all words of the text; a text without a word is found nowhere. */
function says(workspaceId: string, text: string): Expression<SqlBool> {
  const terms = [...messageTerms(workspaceId, text)];
  if (terms.length === 0) return sql`false`;
  return sql`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.terms @> ${terms}::integer[]
  )`;
}
