import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';
import type { Opinion, SlaState } from '../conversation-values.ts';
import { extractSearchTerms } from '../messages.ts';
import { slaCondition } from './sla.ts';

/** Which conversations of a workspace a list holds: those that every filter given lets pass. */
export interface ConversationFilters {
  readonly workspaceId: string;
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  /** All of them. */
  readonly tags: readonly string[];
  /** Started after. */
  readonly since?: Date | undefined;
  /** Started before. */
  readonly until?: Date | undefined;
  /** With a message, a change or an opinion of that moment or later: whoever keeps a copy asks so for what is new. */
  readonly updatedSince?: Date | undefined;
  /** Words, all of them in one message. */
  readonly text?: string | undefined;
  /** The customer's, in any case of its letters. */
  readonly email?: string | undefined;
  readonly slaState?: SlaState | undefined;
  /** What its visitor thinks of one of its answers. */
  readonly feedback?: Opinion | undefined;
}

type Condition = Expression<SqlBool>;

/** Conditions on `conversation`. */
export interface FilterConditions {
  /** An index has these in the order of the list. */
  readonly ordered: readonly Condition[];
  /** The others have indexes too, but of another order. */
  readonly unordered: readonly Condition[];
}

interface SlaContext {
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
}

/** `scale` is what the SLA is measured by. */
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
    // No message is older than its conversation: a list ends there.
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

/** Whether one message has all words of the text; a text without a word is found nowhere. */
function containsTerms(workspaceId: string, text: string): Condition {
  const terms = [...extractSearchTerms(workspaceId, text)];
  if (terms.length === 0) return sql`false`;
  return sql`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.terms @> ${terms}::integer[]
  )`;
}

function hasFeedback(workspaceId: string, feedback: Opinion): Condition {
  return sql`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.feedback = ${feedback}
  )`;
}
