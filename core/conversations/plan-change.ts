import type { Selectable } from 'kysely';
import type { SkillCustomer } from '../contract/skill.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { AuditChange } from './audit-log.ts';
import { type ConversationStatus, handoverStatuses, type Priority } from './conversation-values.ts';

export interface NewNote {
  readonly content: string;
  /** Who wrote it, instead of the key's name. */
  readonly authorEmail?: string | undefined;
}

/** What an agent wants changed; what is absent stays. */
export interface ConversationChange {
  readonly status?: ConversationStatus | undefined;
  /** Of a conversation that is snoozed, or becomes so with this change. */
  readonly snoozeUntil?: Date | undefined;
  /** Instead of those there are. */
  readonly tags?: readonly string[] | undefined;
  readonly priority?: Priority | undefined;
  /** Null forgets what was known. */
  readonly customer?: { readonly [Field in keyof SkillCustomer]?: string | null | undefined } | undefined;
  /** To be added to those there are. */
  readonly notes?: readonly NewNote[] | undefined;
}

type Row = Omit<Selectable<Tables['conversation']>, 'awaited' | 'summary' | 'summary_until' | 'updated_at'>;
type Columns = Partial<Row>;

interface Step {
  readonly columns: Columns;
  readonly changes: readonly AuditChange[];
}

interface ChangeContext {
  readonly now: Date;
  /** When the visitor last said something. */
  readonly lastVisitorMessageAt: Date;
}

const noChange: Step = { columns: {}, changes: [] };

/** What has to be written for a change, and told of it: what is as wanted already is neither. Pure. */
export function planChange(row: Row, wanted: ConversationChange, circumstances: ChangeContext): Step {
  const steps = [
    planStatus(row, wanted, circumstances),
    planSnooze(row, wanted, circumstances.now),
    planTags(row, wanted),
    planPriority(row, wanted),
    planCustomer(row, wanted),
  ];
  return {
    columns: Object.assign({}, ...steps.map(({ columns }) => columns)),
    changes: steps.flatMap(({ changes }) => changes),
  };
}

function planStatus(row: Row, { status }: ConversationChange, circumstances: ChangeContext): Step {
  if (status === undefined || status === row.status) return noChange;
  const withPerson = handoverStatuses.some((one) => one === status);
  const goesOn = withPerson && row.handover_since !== null;
  const since = withPerson ? circumstances.lastVisitorMessageAt : null;
  return {
    columns: {
      status,
      resolved_at: status === 'resolved' ? circumstances.now : null,
      snooze_until: null,
      // Whoever comes back to what was put away after a resolution comes with something new.
      ...(row.status === 'resolved' && status === 'archived' && { memory_from: row.message_count }),
      ...(goesOn ? {} : { handover_since: since, unanswered_since: since }),
    },
    changes: [{ action: 'status_changed', details: { from: row.status, to: status } }],
  };
}

function planSnooze(row: Row, { status, snoozeUntil }: ConversationChange, now: Date): Step {
  if (snoozeUntil === undefined) return noChange;
  if ((status ?? row.status) !== 'snoozed') {
    throw new AppError('invalid_snooze_until', { detail: 'snooze_until goes with the status snoozed only.' });
  }
  if (snoozeUntil <= now) throw new AppError('invalid_snooze_until');
  if (snoozeUntil.getTime() === row.snooze_until?.getTime()) return noChange;
  const from = row.snooze_until?.toISOString() ?? null;
  return {
    columns: { snooze_until: snoozeUntil },
    changes: [{ action: 'snooze_changed', details: { from, to: snoozeUntil.toISOString() } }],
  };
}

function planTags(row: Row, { tags }: ConversationChange): Step {
  if (tags === undefined) return noChange;
  const distinct = [...new Set(tags)];
  if (JSON.stringify(distinct) === JSON.stringify(row.tags)) return noChange;
  return {
    columns: { tags: distinct },
    changes: [{ action: 'tags_changed', details: { from: row.tags, to: distinct } }],
  };
}

function planPriority(row: Row, { priority }: ConversationChange): Step {
  if (priority === undefined || priority === row.priority) return noChange;
  return {
    columns: { priority },
    changes: [{ action: 'priority_changed', details: { from: row.priority, to: priority } }],
  };
}

const customerFields = ['email', 'name', 'phone'] as const;
type CustomerFields = Readonly<Record<(typeof customerFields)[number], string | null>>;

/** The names of the fields that differ, for the audit log: it outlives the conversation, so it holds no values. */
export function changedFields(from: CustomerFields, to: CustomerFields): string[] {
  return customerFields.filter((name) => from[name] !== to[name]);
}

function planCustomer(row: Row, { customer }: ConversationChange): Step {
  const known = { email: row.customer_email, name: row.customer_name, phone: row.customer_phone };
  const given = Object.entries(customer ?? {}).filter(([, value]) => value !== undefined);
  const next: typeof known = { ...known, ...Object.fromEntries(given) };
  if (JSON.stringify(next) === JSON.stringify(known)) return noChange;
  return {
    columns: {
      customer_email: next.email,
      // An agent who writes an address down vouches for nothing.
      ...(next.email !== known.email && { customer_email_verified: false }),
      customer_name: next.name,
      customer_phone: next.phone,
    },
    changes: [{ action: 'customer_changed', details: { fields: changedFields(known, next) } }],
  };
}
