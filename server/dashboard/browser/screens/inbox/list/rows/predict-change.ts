import type {
  BulkChange,
  ConversationChange,
  InboxAgent,
  InboxFilters,
  InboxRow,
} from '../../../../api/queries/inbox.ts';

/** A change of rows: what the server takes for many, and whether they are read. */
export type RowChange = BulkChange & { readonly read?: boolean };

const activeStatuses = ['open', 'claimed', 'escalated'];

/** Returns the row as it will be after the change, before the server has confirmed it. Pure. */
export function predictRow(row: InboxRow, change: RowChange, agents: readonly InboxAgent[]): InboxRow {
  const { status, snooze_until: until, assignee_id: assigneeId, priority, read } = change;
  const person = agents.find(({ id }) => id === assigneeId);
  const isHandled = status !== undefined && status !== 'claimed' && status !== 'escalated';
  return {
    ...row,
    ...(status !== undefined && { status, snooze_until: until ?? null }),
    ...(isHandled && { waiting_since: null, sla_due_at: null, sla_state: 'in_compliance' as const }),
    ...(assigneeId !== undefined && {
      assignee: person === undefined ? null : { id: person.id, name: person.name },
    }),
    ...(priority !== undefined && { priority }),
    ...(read !== undefined && { unread: read ? 0 : Math.max(1, row.unread) }),
    tags: changeTags(row.tags, change),
  };
}

function changeTags(tags: readonly string[], { add_tags: add = [], remove_tags: remove = [] }: RowChange) {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag));
}

/** The change in the form of the API for one conversation. */
export function toConversationChange(row: InboxRow, whole: RowChange): ConversationChange {
  const { add_tags: add = [], remove_tags: remove = [], delete: _, read: __, ...change } = whole;
  return add.length + remove.length === 0 ? change : { ...change, tags: changeTags(row.tags, whole) };
}

/** The change that restores the row. */
export function toReverse(row: InboxRow, change: RowChange): ConversationChange {
  const { status, assignee_id, priority, add_tags, remove_tags } = change;
  return {
    ...(status !== undefined && { status: row.status }),
    ...(status !== undefined && row.snooze_until !== null && { snooze_until: row.snooze_until }),
    ...(assignee_id !== undefined && { assignee_id: row.assignee?.id ?? null }),
    ...(priority !== undefined && { priority: row.priority }),
    ...((add_tags !== undefined || remove_tags !== undefined) && { tags: [...row.tags] }),
  };
}

/** Returns the row with the changed fields as they were in `before`. Pure. */
export function restoreRow(row: InboxRow, before: InboxRow, change: RowChange): InboxRow {
  const { status, snooze_until, waiting_since, sla_due_at, sla_state, assignee, priority, tags } = before;
  return {
    ...row,
    ...(change.status !== undefined && { status, snooze_until, waiting_since, sla_due_at, sla_state }),
    ...(change.assignee_id !== undefined && { assignee }),
    ...(change.priority !== undefined && { priority }),
    ...((change.add_tags !== undefined || change.remove_tags !== undefined) && { tags }),
  };
}

/**
 * Whether a changed row still belongs to the list. Filters that its fields do not decide are assumed to match. Pure.
 */
export function staysListed(row: InboxRow, filters: InboxFilters, me: string): boolean {
  const { status, assignee, priority, tag = [], unread, waiting } = filters;
  const person = assignee === 'me' ? me : assignee;
  return (
    staysInView(row, filters.view ?? 'all', me) &&
    (status === undefined || status.includes(row.status)) &&
    (person === undefined || person === (row.assignee?.id ?? 'none')) &&
    (priority === undefined || priority.includes(row.priority)) &&
    tag.every((each) => row.tags.includes(each)) &&
    (unread === undefined || unread === row.unread > 0) &&
    (waiting === undefined || waiting === (row.waiting_since !== null))
  );
}

function staysInView(row: InboxRow, view: NonNullable<InboxFilters['view']>, me: string): boolean {
  const isActive = activeStatuses.includes(row.status);
  switch (view) {
    case 'waiting':
      return row.waiting_since !== null && row.assignee === null;
    case 'mine':
      return isActive && row.assignee?.id === me;
    case 'unread':
      return row.unread > 0;
    case 'sla_at_risk':
      return row.sla_state !== 'in_compliance';
    case 'snoozed':
      return row.status === 'snoozed';
    case 'open':
      return isActive;
    case 'resolved':
      return row.status === 'resolved';
    default:
      return true;
  }
}
