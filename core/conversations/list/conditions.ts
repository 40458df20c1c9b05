import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Opinion } from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { slaCondition } from '../inbox/sla.ts';
import type { ConversationFilters, InboxView, ListReader } from './filters.ts';
import {
  containsTerms,
  hasNameParts,
  isAssignedTo,
  isUnread,
  isWaiting,
  namesCustomer,
  nothing,
  selectByCustomer,
  selectByTerms,
} from './row-conditions.ts';
import { searchCandidates, searchConditions } from './search-conditions.ts';
import { parseSearch } from './search-query.ts';

type Condition = Expression<SqlBool>;

/** Conditions on `conversation`, by how the database finds the rows that match. */
export interface ListConditions {
  /** Rows are read in the order of the latest message. */
  readonly ordered: readonly Condition[];
  /** Rows are read in that order first, and by their own indexes if few of them match. */
  readonly common: readonly Condition[];
  /** Few rows match, and an index finds them. */
  readonly rare: readonly Condition[];
}

/** Written as the partial indexes are, so that the planner recognises them. */
const isActive = sql<SqlBool>`status in ('open', 'claimed', 'escalated')`;
const isAttended = sql<SqlBool>`(handover_since is not null or assignee_id is not null)
  and status not in ('resolved', 'archived')`;

/** Returns the SQL conditions of the filters for a reader. Pure. */
export function listConditions(filters: ConversationFilters, reader: ListReader): ListConditions {
  const is = expressionBuilder<Tables, 'conversation'>();
  const view = viewConditions(filters.view ?? 'all', reader);
  const status = oneOf('status', filters.status);
  const channel = oneOf('channel', filters.channel);
  return {
    ordered: [
      is('workspace_id', '=', reader.workspaceId),
      ...view.ordered,
      ...status.ordered,
      ...channel.ordered,
      ...given(filters.user_id, (id) => sql<SqlBool>`coalesce(customer_user_id, stated_user_id) = ${id}`),
      ...given(filters.email, (email) => sql<SqlBool>`lower(customer_email) = lower(${email})`),
      // No message is older than its conversation, so the scan can stop at this time.
      ...given(filters.since, (since) => is('last_message_at', '>', new Date(since))),
    ],
    common: [...status.common, ...channel.common, ...commonConditions(filters, reader)],
    rare: [...view.rare, ...rareConditions(filters, reader)],
  };
}

/** The indexes are sorted within one value only. No value is no condition. */
function oneOf(column: 'status' | 'channel', values: readonly string[] | undefined) {
  const is = expressionBuilder<Tables, 'conversation'>();
  const [only, ...others] = values ?? [];
  if (only === undefined) return { ordered: [], common: [] };
  if (others.length === 0) return { ordered: [is(column, '=', only)], common: [] };
  return { ordered: [], common: [is(column, 'in', [only, ...others])] };
}

/** Queries for the ids of all conversations that can match a text, each by an index of its own. Pure. */
export function candidateQueries(
  { q, customer }: ConversationFilters,
  { workspaceId, isInInbox }: ListReader,
): readonly RawBuilder<unknown>[] {
  const searched = (text: string) =>
    isInInbox ? searchCandidates(parseSearch(text), { workspaceId }) : [selectByTerms(workspaceId, text)];
  return [
    ...(q === undefined ? [] : searched(q)),
    ...(customer !== undefined && hasNameParts(customer) ? [selectByCustomer(workspaceId, customer)] : []),
  ];
}

function given<Value>(value: Value | undefined, condition: (value: Value) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

function commonConditions(
  { priority = [], tag = [], ...filters }: ConversationFilters,
  reader: ListReader,
): Condition[] {
  const { workspaceId, personId, policy, now } = reader;
  const is = expressionBuilder<Tables, 'conversation'>();
  return [
    ...(priority.length > 0 ? [is('priority', 'in', priority)] : []),
    ...(tag.length > 0 ? [sql<SqlBool>`tags @> ${tag}::text[]`] : []),
    ...(filters.q === undefined ? [] : textConditions(filters.q, reader)),
    ...given(filters.channel_id, isThroughChannel),
    ...given(filters.customer, namesCustomer),
    ...given(filters.since, (since) => is('started_at', '>', new Date(since))),
    ...given(filters.until, (until) => is('started_at', '<', new Date(until))),
    ...given(filters.updated_since, (since) => is('updated_at', '>=', new Date(since))),
    ...given(filters.sla_state, (state) => slaCondition(state, policy, now)),
    ...given(filters.feedback, (feedback) => hasFeedback(workspaceId, feedback)),
    ...(filters.unread === false ? [is.not(isUnread(personId))] : []),
    ...(filters.waiting === false ? [sql<SqlBool>`(${isWaiting}) is not true`] : []),
    ...(filters.has_draft === false ? [is.not(hasDraft(personId))] : []),
    ...(filters.assignee === 'none' ? [is('assignee_id', 'is', null)] : []),
  ];
}

function rareConditions(
  { assignee, ...filters }: ConversationFilters,
  { personId }: ListReader,
): Condition[] {
  const named = assignee === undefined || assignee === 'none' ? [] : [assignee];
  return [
    ...named.map((name) => isAssignedTo(name === 'me' ? personId : name)),
    ...given(filters.session_id, (id) => sql<SqlBool>`session_id = ${id} and channel = 'api'`),
    ...given(filters.metadata, (fields) => sql<SqlBool>`metadata @> ${JSON.stringify(fields)}::jsonb`),
    ...(filters.unread === true ? [isAttended, isUnread(personId)] : []),
    ...(filters.waiting === true ? [isWaiting] : []),
    ...(filters.has_draft === true ? [hasDraft(personId)] : []),
  ];
}

function viewConditions(
  view: InboxView,
  reader: ListReader,
): { readonly ordered: readonly Condition[]; readonly rare: readonly Condition[] } {
  const is = expressionBuilder<Tables, 'conversation'>();
  switch (view) {
    case 'all':
      return { ordered: [], rare: [] };
    case 'open':
      return { ordered: [isActive], rare: [] };
    case 'resolved':
      return { ordered: [is('status', '=', 'resolved')], rare: [] };
    case 'snoozed':
      return { ordered: [is('status', '=', 'snoozed')], rare: [] };
    case 'waiting':
      return { ordered: [], rare: [isWaiting, is('assignee_id', 'is', null)] };
    case 'mine':
      return { ordered: [isAssignedTo(reader.personId), isActive], rare: [] };
    case 'unread':
      return { ordered: [isAttended, isUnread(reader.personId)], rare: [] };
    case 'sla_at_risk':
      return { ordered: [], rare: [isLate(reader)] };
    case 'low_confidence':
      return {
        ordered: [],
        rare: [
          sql<SqlBool>`id = any (array(
            select distinct conversation_id from message
            where workspace_id = ${reader.workspaceId} and confidence = 'low' and created_at >= ${reader.today}
          ))`,
        ],
      };
  }
}

/** On platforms, the session begins with the id of the channel; callers of the API name theirs as they like. */
function isThroughChannel(id: string): Condition {
  return sql<SqlBool>`channel <> 'api' and (channel_id = ${id} or starts_with(session_id, ${`${id}:`}))`;
}

function hasDraft(personId: string | null): Condition {
  if (personId === null) return nothing;
  return sql<SqlBool>`id = any (array(
    select conversation_id from conversation_draft where person_id = ${personId}
  ))`;
}

function isLate({ policy, now }: ListReader): Condition {
  const late = [slaCondition('at_risk', policy, now), slaCondition('breached', policy, now)] as const;
  return sql<SqlBool>`(handover_since is not null and ((${late[0]}) or (${late[1]})))`;
}

/** Callers of the API search the messages. People in the inbox search what they see of a conversation. */
function textConditions(text: string, reader: ListReader): readonly Condition[] {
  return reader.isInInbox
    ? searchConditions(parseSearch(text), reader)
    : [containsTerms(reader.workspaceId, text)];
}

function hasFeedback(workspaceId: string, feedback: Opinion): Condition {
  return sql<SqlBool>`exists (
    select from message
    where message.conversation_id = conversation.id
      and message.workspace_id = ${workspaceId}
      and message.feedback = ${feedback}
  )`;
}
