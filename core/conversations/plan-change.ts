import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { AuditChange } from '../audit/audit-log.ts';
import { AppError } from '../base/errors.ts';
import {
  type ConversationStatus,
  handoverStatuses,
  METADATA_BYTES,
  type Priority,
} from '../contract/conversation-values.ts';
import type { SkillCustomer } from '../contract/skill.ts';
import type { Tables } from '../storage/tables/tables.ts';

export interface NewNote {
  readonly content: string;
  /** The author, in place of the key's name. */
  readonly authorEmail?: string | undefined;
}

/** A change requested by an agent. Absent fields stay unchanged. */
export interface ConversationChange {
  readonly status?: ConversationStatus | undefined;
  /** Requires that the conversation is snoozed, or becomes so with this change. */
  readonly snoozeUntil?: Date | undefined;
  /** Replaces all tags. */
  readonly tags?: readonly string[] | undefined;
  readonly priority?: Priority | undefined;
  /** Null returns the conversation to the queue. */
  readonly assigneeId?: string | null | undefined;
  /** Null deletes the stored value. */
  readonly customer?: { readonly [Field in keyof SkillCustomer]?: string | null | undefined } | undefined;
  /** Fields to set in the metadata; null removes one. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Notes to add to the existing ones. */
  readonly notes?: readonly NewNote[] | undefined;
}

type Row = Omit<Selectable<Tables['conversation']>, 'awaited' | 'summary' | 'summary_until' | 'updated_at'>;
/** Columns to write, with their values as they are read. */
export type Columns = Partial<Row>;

interface Step {
  readonly columns: Columns;
  readonly changes: readonly AuditChange[];
}

interface ChangeContext {
  readonly now: Date;
  /** The time of the visitor's last message. */
  readonly lastVisitorMessageAt: Date;
  /** The person who changes it; null or absent for a key, a rule or the operator. */
  readonly personId?: string | null | undefined;
}

const noChange: Step = { columns: {}, changes: [] };

/** Returns the columns to write and the audit entries for a change. Values that already match produce neither. Pure. */
export function planChange(row: Row, change: ConversationChange, context: ChangeContext): Step {
  const steps = [
    planStatus(row, change, context),
    planSnooze(row, change, context.now),
    planTags(row, change),
    planPriority(row, change),
    planAssignee(row, change, context),
    planCustomer(row, change),
    planMetadata(row, change),
  ];
  return {
    columns: Object.assign({}, ...steps.map(({ columns }) => columns)),
    changes: steps.flatMap(({ changes }) => changes),
  };
}

function planStatus(row: Row, { status }: ConversationChange, context: ChangeContext): Step {
  if (status === undefined || status === row.status) return noChange;
  const withPerson = handoverStatuses.some((known) => known === status);
  const continuesHandover = withPerson && row.handover_since !== null;
  const isHandedBack = !withPerson && row.handover_since !== null;
  const since = withPerson ? context.lastVisitorMessageAt : null;
  return {
    columns: {
      status,
      resolved_at: status === 'resolved' ? context.now : null,
      snooze_until: null,
      // If a conversation is archived after its resolution, the visitor's next message starts a new topic.
      ...(row.status === 'resolved' && status === 'archived' && { memory_from: row.message_count }),
      ...(continuesHandover ? {} : { handover_since: since, unanswered_since: since }),
      // The next answer says again that it comes from a machine.
      ...(isHandedBack && { disclosed_at: null }),
    },
    changes: [{ action: 'status_changed', details: { from: row.status, to: status } }],
  };
}

function planSnooze(row: Row, { status, snoozeUntil }: ConversationChange, now: Date): Step {
  if (snoozeUntil === undefined) return noChange;
  if ((status ?? row.status) !== 'snoozed') {
    throw new AppError('invalid_snooze_until', {
      detail: 'snooze_until requires the status snoozed. Set status to snoozed as well.',
    });
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

function planAssignee(
  row: Row,
  { assigneeId }: ConversationChange,
  { now, personId = null }: ChangeContext,
): Step {
  if (assigneeId === undefined || assigneeId === row.assignee_id) return noChange;
  return {
    columns: {
      assignee_id: assigneeId,
      ...(assigneeId === null
        ? { assigned_at: null, assigned_by: null }
        : { assigned_at: now, assigned_by: personId }),
    },
    changes: [{ action: 'assignee_changed', details: { from: row.assignee_id, to: assigneeId } }],
  };
}

const customerFields = ['email', 'name', 'phone'] as const;
type CustomerFields = Readonly<Record<(typeof customerFields)[number], string | null>>;

/**
 * Returns the names of the fields that differ. The audit log outlives the conversation, so it must not contain the
 * values.
 */
export function changedFields(from: CustomerFields, to: CustomerFields): string[] {
  return customerFields.filter((name) => from[name] !== to[name]);
}

function planCustomer(row: Row, { customer }: ConversationChange): Step {
  const known = { email: row.customer_email, name: row.customer_name, phone: row.customer_phone };
  const changes = Object.entries(customer ?? {}).filter(([, value]) => value !== undefined);
  const next: typeof known = { ...known, ...Object.fromEntries(changes) };
  if (JSON.stringify(next) === JSON.stringify(known)) return noChange;
  return {
    columns: {
      customer_email: next.email,
      // An address entered by an agent is not verified.
      ...(next.email !== known.email && { customer_email_verified: false }),
      customer_name: next.name,
      customer_phone: next.phone,
    },
    changes: [{ action: 'customer_changed', details: { fields: changedFields(known, next) } }],
  };
}

const metadataSchema = z.record(z.string(), z.unknown()).nullable();
/** Throws `invalid_metadata` if the result takes more than 16 KB. */
function planMetadata(row: Row, { metadata }: ConversationChange): Step {
  if (metadata === undefined) return noChange;
  const known = metadataSchema.parse(row.metadata) ?? {};
  const next = Object.fromEntries(
    Object.entries({ ...known, ...metadata }).filter(([, value]) => value !== null),
  );
  const names = Object.keys(metadata).filter((name) => !isDeepStrictEqual(known[name], next[name]));
  if (names.length === 0) return noChange;
  if (Buffer.byteLength(JSON.stringify(next)) > METADATA_BYTES) throw new AppError('invalid_metadata');
  return {
    columns: { metadata: Object.keys(next).length === 0 ? null : next },
    changes: [{ action: 'metadata_changed', details: { fields: names } }],
  };
}
