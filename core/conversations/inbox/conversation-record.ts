import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { type AuditEntry, auditEntryFromRow } from '../../audit/audit-log.ts';
import type { Customer } from '../../contract/conversation-values.ts';
import {
  type ConversationStatus,
  conversationStatuses,
  type Priority,
  priorities,
  type SlaState,
} from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';
import { messageDisclosure } from '../messages/decisions.ts';
import { type MessageRecord, messageColumns, messageFromRow, messageParts } from '../messages/messages.ts';
import { type NoteRecord, noteFromRow } from '../messages/notes.ts';
import { slaState } from './sla.ts';

/** The properties of a conversation without its messages. */
export interface ConversationRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly channel: string;
  /** The id of the channel it arrived through; null for the API, and if the widget or page was deleted. */
  readonly channelId: string | null;
  readonly status: ConversationStatus;
  readonly priority: Priority;
  readonly startedAt: Date;
  readonly lastMessageAt: Date;
  readonly resolvedAt: Date | null;
  readonly snoozeUntil: Date | null;
  readonly messageCount: number;
  readonly customer: Customer;
  /** The integrator's id of the visitor; null if none was given. `isUserVerified` says whether it was proven. */
  readonly userId: string | null;
  readonly isUserVerified: boolean;
  /** The session that an API caller named; null on other channels. */
  readonly sessionId: string | null;
  /** The metadata of the visitor's messages, merged, without files. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly tags: readonly string[];
  readonly slaState: SlaState;
}

const statusSchema = z.enum(conversationStatuses);
const prioritySchema = z.enum(priorities);
const metadataSchema = z.record(z.string(), z.unknown()).nullable();

/** `policy` is the workspace's SLA policy; `now` is the time at which the SLA state is computed. */
export function conversationFromRow(
  row: Selectable<Tables['conversation']>,
  policy: SlaPolicy | undefined,
  now: Date,
): ConversationRecord {
  const status = statusSchema.parse(row.status);
  const handover = { status, unansweredSince: row.unanswered_since, handoverSince: row.handover_since };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    channelId: channelIdOf(row),
    status,
    priority: prioritySchema.parse(row.priority),
    startedAt: row.started_at,
    lastMessageAt: row.last_message_at,
    resolvedAt: row.resolved_at,
    snoozeUntil: row.snooze_until,
    messageCount: row.message_count,
    customer: {
      email: row.customer_email,
      emailVerified: row.customer_email !== null && row.customer_email_verified,
      name: row.customer_name,
      phone: row.customer_phone,
    },
    userId: row.customer_user_id ?? row.stated_user_id,
    isUserVerified: row.customer_user_id !== null,
    sessionId: row.channel === 'api' ? row.session_id : null,
    metadata: metadataSchema.parse(row.metadata),
    tags: row.tags,
    slaState: slaState(handover, policy, now),
  };
}

/**
 * On platforms, the session id starts with the channel's id. API callers choose session ids freely, so theirs is ignored.
 */
export function channelIdOf({
  channel,
  channel_id,
  session_id,
}: Pick<Selectable<Tables['conversation']>, 'channel' | 'channel_id' | 'session_id'>): string | null {
  if (channel === 'api' || session_id === null) return null;
  return channel_id ?? /^(chan_\w+):/.exec(session_id)?.[1] ?? null;
}

/** A conversation with its messages, notes and audit log, each oldest first. */
export interface ConversationView extends ConversationRecord {
  readonly messages: readonly MessageRecord[];
  readonly notes: readonly NoteRecord[];
  readonly auditLog: readonly AuditEntry[];
}

interface SlaContext {
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
}

/**
 * Loads a conversation's messages, notes and audit log. Pass a repeatable-read transaction if they must be consistent.
 */
export async function loadConversationView(
  database: Kysely<Tables>,
  row: Selectable<Tables['conversation']>,
  { policy, now }: SlaContext,
): Promise<ConversationView> {
  const messages = await database
    .selectFrom('message')
    .select(messageColumns)
    .select([messageParts, messageDisclosure])
    .where('conversation_id', '=', row.id)
    .orderBy('position')
    .execute();
  const notes = await database
    .selectFrom('note')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const entries = await database
    .selectFrom('audit_entry')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .where('workspace_id', '=', row.workspace_id)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return {
    ...conversationFromRow(row, policy, now),
    messages: messages.map(messageFromRow),
    notes: notes.map(noteFromRow),
    auditLog: entries.map(auditEntryFromRow),
  };
}
