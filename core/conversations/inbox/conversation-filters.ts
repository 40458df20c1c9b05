import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Opinion, SlaState } from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';
import { extractSearchTerms } from '../messages/messages.ts';
import { slaCondition } from './sla.ts';

/** Filters for a list of conversations; a conversation must match all of them. */
export interface ConversationFilters {
  readonly workspaceId: string;
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  /** The conversation must have all of these tags. */
  readonly tags: readonly string[];
  /** Started after this time. */
  readonly since?: Date | undefined;
  /** Started before this time. */
  readonly until?: Date | undefined;
  /** With a message, a change or a rating at or after this time. Clients that keep a copy use it to fetch changes. */
  readonly updatedSince?: Date | undefined;
  /** Words that must all occur in one message. */
  readonly text?: string | undefined;
  /** The customer's e-mail address; case is ignored. */
  readonly email?: string | undefined;
  readonly slaState?: SlaState | undefined;
  /** At least one answer has this rating. */
  readonly feedback?: Opinion | undefined;
}

type Condition = Expression<SqlBool>;

/** Conditions on `conversation`. */
export interface FilterConditions {
  /** Conditions served by an index in the list's order. */
  readonly ordered: readonly Condition[];
  /** Conditions whose indexes have a different order. */
  readonly unordered: readonly Condition[];
}

interface SlaContext {
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
}

/** Returns the SQL conditions of the filters. `policy` and `now` determine the SLA state. */
export function buildFilterConditions(
  filters: ConversationFilters,
  { policy, now }: SlaContext,
): FilterConditions {
  const { workspaceId, channel, status, tags, since, until, updatedSince } = filters;
  const { text, email, slaState, feedback } = filters;
  const is = expressionBuilder<Tables, 'conversation'>();
  const ordered: (Condition | undefined)[] = [
    is('workspace_id', '=', workspaceId),
    channel === undefined ? undefined : is('channel', '=', channel),
    status === undefined ? undefined : is('status', '=', status),
    email === undefined ? undefined : sql`lower(customer_email) = lower(${email})`,
    // No message is older than its conversation, so the scan can stop at this time.
    since === undefined ? undefined : is('last_message_at', '>', since),
  ];
  const unordered: (Condition | undefined)[] = [
    since === undefined ? undefined : is('started_at', '>', since),
    until === undefined ? undefined : is('started_at', '<', until),
    updatedSince === undefined ? undefined : is('updated_at', '>=', updatedSince),
    tags.length === 0 ? undefined : sql`tags @> ${[...tags]}::text[]`,
    slaState === undefined ? undefined : slaCondition(slaState, policy, now),
    text === undefined ? undefined : containsTerms(workspaceId, text),
    feedback === undefined ? undefined : hasFeedback(workspaceId, feedback),
  ];
  return { ordered: ordered.filter(isGiven), unordered: unordered.filter(isGiven) };
}

function isGiven(condition: Condition | undefined): condition is Condition {
  return condition !== undefined;
}

/** Matches conversations with a message that contains all words of the text. A text without words matches nothing. */
export function containsTerms(workspaceId: string, text: string): Condition {
  const terms = [...extractSearchTerms(workspaceId, text)];
  if (terms.length === 0) return sql`false`;
  return sql`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.terms @> ${terms}::integer[]
  )`;
}

/** Selects the ids of conversations that `containsTerms` matches, some of them more than once. */
export function selectByTerms(workspaceId: string, text: string): RawBuilder<unknown> {
  return sql`
    select conversation_id as id from message
    where workspace_id = ${workspaceId} and terms @> ${[...extractSearchTerms(workspaceId, text)]}::integer[]`;
}

function hasFeedback(workspaceId: string, feedback: Opinion): Condition {
  return sql`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.feedback = ${feedback}
  )`;
}
