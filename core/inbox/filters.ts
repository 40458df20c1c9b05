import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { conversationStatuses, handoverStatuses, priorities } from '../contract/conversation-values.ts';
import { containsTerms, selectByTerms } from '../conversations/inbox/conversation-filters.ts';
import { slaCondition } from '../conversations/inbox/sla.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SlaPolicy } from '../workspaces/workspace-settings.ts';

/** The views that every inbox has. */
export const inboxViews = [
  'waiting',
  'mine',
  'unread',
  'sla_at_risk',
  'snoozed',
  'low_confidence',
  'open',
  'resolved',
  'all',
] as const;

export type InboxView = (typeof inboxViews)[number];

export const inboxSorts = ['latest', 'waiting', 'sla_due'] as const;

export type InboxSort = (typeof inboxSorts)[number];

const tag = z.string().trim().min(1).max(64);
const time = z.iso.datetime({ offset: true });

/** The filters of an inbox, as queries, saved views and bulk actions name them. A conversation must match all of them. */
export const inboxFiltersSchema = z.object({
  view: z.enum(inboxViews).optional(),
  status: z.array(z.enum(conversationStatuses)).max(6).optional(),
  channel: z.array(z.string().min(1).max(100)).max(20).optional(),
  assignee: z
    .string()
    .regex(/^(?:me|none|per_\w+)$/)
    .max(100)
    .optional()
    .meta({ description: 'The id of a person, or `me`, or `none`.' }),
  tag: z.array(tag).max(50).optional().meta({ description: 'A conversation must have all of them.' }),
  priority: z.array(z.enum(priorities)).max(4).optional(),
  unread: z.boolean().optional(),
  waiting: z.boolean().optional().meta({ description: 'The visitor waits for a person.' }),
  has_draft: z.boolean().optional().meta({ description: 'The caller has a draft in it.' }),
  q: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'Words that one message contains, in any form and order.' }),
  email: z.string().trim().min(1).max(320).optional().meta({ description: 'The address of the customer.' }),
  customer: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'A part of the name, address or phone number of the customer.' }),
  since: time.optional().meta({ description: 'Started after this time.' }),
  until: time.optional().meta({ description: 'Started before this time.' }),
});

export type InboxFilters = z.output<typeof inboxFiltersSchema>;

/** The reader of an inbox. */
export interface InboxReader {
  readonly workspaceId: string;
  /** Null for the operator, who reads no conversations as a person. */
  readonly personId: string | null;
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
  /** The start of the reader's day. */
  readonly today: Date;
}

type Condition = Expression<SqlBool>;

/** Conditions on `conversation`, by how the database finds the rows that match. */
export interface InboxConditions {
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
const isWaiting = sql<SqlBool>`handover_since is not null and unanswered_since is not null`;
const nothing = sql<SqlBool>`false`;

/** Returns the SQL conditions of the filters for a reader. Pure. */
export function inboxConditions(filters: InboxFilters, reader: InboxReader): InboxConditions {
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
  { q, customer }: InboxFilters,
  { workspaceId }: InboxReader,
): readonly RawBuilder<unknown>[] {
  // A shorter text has no parts.
  const named = customer === undefined || [...customer].length < 3 ? [] : [customer];
  return [
    ...(q === undefined ? [] : [selectByTerms(workspaceId, q)]),
    ...named.map(
      (text) => sql`
        select conversation_id as id from customer_search where parts @> customer_parts(${workspaceId}, ${text})`,
    ),
  ];
}

function commonConditions(
  { priority = [], ...filters }: InboxFilters,
  { workspaceId, personId }: InboxReader,
): Condition[] {
  const is = expressionBuilder<Tables, 'conversation'>();
  const given = <Value>(value: Value | undefined, condition: (value: Value) => Condition) =>
    value === undefined ? [] : [condition(value)];
  return [
    ...(priority.length > 0 ? [is('priority', 'in', priority)] : []),
    ...given(filters.tag, (tags) => sql<SqlBool>`tags @> ${tags}::text[]`),
    ...given(filters.q, (text) => containsTerms(workspaceId, text)),
    ...given(filters.customer, namesCustomer),
    ...given(filters.since, (since) => is('started_at', '>', new Date(since))),
    ...given(filters.until, (until) => is('started_at', '<', new Date(until))),
    ...(filters.unread === false ? [is.not(isUnread(personId))] : []),
    ...(filters.waiting === false ? [sql<SqlBool>`(${isWaiting}) is not true`] : []),
    ...(filters.has_draft === false ? [is.not(hasDraft(personId))] : []),
    ...(filters.assignee === 'none' ? [is('assignee_id', 'is', null)] : []),
  ];
}

function rareConditions({ assignee, ...filters }: InboxFilters, { personId }: InboxReader): Condition[] {
  const named = assignee === undefined || assignee === 'none' ? [] : [assignee];
  return [
    ...named.map((name) => isAssignedTo(name === 'me' ? personId : name)),
    ...(filters.unread === true ? [isAttended, isUnread(personId)] : []),
    ...(filters.waiting === true ? [isWaiting] : []),
    ...(filters.has_draft === true ? [hasDraft(personId)] : []),
    ...(filters.email === undefined ? [] : [sql<SqlBool>`lower(customer_email) = lower(${filters.email})`]),
  ];
}

/** The order in which a view is read, unless the reader asks for another one. */
export function sortOfView(view: InboxView | undefined): InboxSort {
  if (view === 'waiting') return 'waiting';
  return view === 'sla_at_risk' ? 'sla_due' : 'latest';
}

function viewConditions(
  view: InboxView,
  reader: InboxReader,
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

function isAssignedTo(personId: string | null): Condition {
  return personId === null
    ? nothing
    : expressionBuilder<Tables, 'conversation'>()('assignee_id', '=', personId);
}

/** The visitor has written since the person last read it. */
function isUnread(personId: string | null): Condition {
  if (personId === null) return nothing;
  return sql<SqlBool>`visitor_position > coalesce((
    select position from conversation_seen
    where conversation_seen.person_id = ${personId} and conversation_seen.conversation_id = conversation.id
  ), -1)`;
}

function hasDraft(personId: string | null): Condition {
  if (personId === null) return nothing;
  return sql<SqlBool>`id = any (array(
    select conversation_id from conversation_draft where person_id = ${personId}
  ))`;
}

function isLate({ policy, now }: InboxReader): Condition {
  const late = [slaCondition('at_risk', policy, now), slaCondition('breached', policy, now)] as const;
  return sql<SqlBool>`(handover_since is not null and ((${late[0]}) or (${late[1]})))`;
}

function namesCustomer(text: string): Condition {
  return sql<SqlBool>`strpos(
    lower(concat_ws(' ', customer_name, customer_email, customer_phone)), lower(${text})
  ) > 0`;
}

const handover = sql.join(handoverStatuses.map((status) => sql.lit(status)));

/** When the first of the two targets of the policy is missed; null without a wait or a target. */
export function slaDueAt(policy: SlaPolicy | undefined): RawBuilder<Date | null> {
  const due = (since: string, minutes: number | undefined) =>
    minutes === undefined
      ? sql`null::timestamptz`
      : sql`${sql.ref(since)} + make_interval(mins => ${minutes}::int)`;
  return sql<Date | null>`case when status in (${handover}) and handover_since is not null then least(
    ${due('unanswered_since', policy?.first_response_minutes)}, ${due('handover_since', policy?.resolution_minutes)}
  ) end`;
}
