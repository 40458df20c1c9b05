import { sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../../audit/audit-log.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { namedActor } from '../../contract/actor.ts';
import type { Customer } from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { toStoredColumns } from '../change-row.ts';
import { planChange } from '../plan-change.ts';
import { extractSearchTerms } from './messages.ts';

interface Resolution {
  readonly status: string;
  readonly resolved_at: Date | null;
}

/** A conversation that was resolved longer ago than this is over; the visitor's next message starts a new one. */
const reopenWindowMs = 24 * 60 * 60 * 1_000;

/** Returns whether the visitor's next message starts a new conversation. Pure. */
export function isConversationOver({ status, resolved_at }: Resolution, now: Date): boolean {
  return status === 'resolved' && now.getTime() - (resolved_at?.getTime() ?? 0) > reopenWindowMs;
}

interface NewConversation {
  readonly workspaceId: string;
  readonly channel: string;
  readonly sessionId: string;
  readonly customer: Customer | null;
  readonly now: Date;
}

/** Creates an empty conversation for a message that is not answered. Returns its id. */
export async function createConversation(
  transaction: Transaction<Tables>,
  { workspaceId, channel, sessionId, customer, now }: NewConversation,
): Promise<string> {
  const id = newId('conv');
  await transaction
    .insertInto('conversation')
    .values({
      id,
      workspace_id: workspaceId,
      channel,
      session_id: sessionId,
      started_at: now,
      last_message_at: now,
      resolved_at: null,
      customer_email: customer?.email ?? null,
      customer_email_verified: customer?.emailVerified ?? false,
      customer_name: customer?.name ?? null,
      customer_phone: customer?.phone ?? null,
      customer_user_id: null,
      snooze_until: null,
      unanswered_since: null,
      handover_since: null,
      sla_told: null,
      awaited: null,
      summary: null,
    })
    .execute();
  return id;
}

/** The purpose of a message about a rating, which is neither a question nor an answer. */
export type RatingPurpose = 'rating_question' | 'rating' | 'rating_thanks';

/**
 * A message without an answer: the visitor's while an agent has the conversation, the agent's, or the bot's about a
 * rating.
 */
interface SingleMessage {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly role: 'user' | 'agent' | 'assistant';
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The agent's e-mail address; null for a visitor and the bot. */
  readonly author: string | null;
  /** The agent, if they were signed in. */
  readonly personId?: string | null;
  /** The API key that sends it, for the audit log. Absent: the author stands there. */
  readonly keyName?: string | undefined;
  readonly now: Date;
  /** Whether the message needs no reply. */
  readonly isIdle?: boolean;
  readonly purpose?: RatingPurpose;
}

/**
 * Stores a message and returns its id. An agent's first message claims the conversation. Throws `conversation_not_found`.
 */
export async function storeMessage(
  transaction: Transaction<Tables>,
  {
    workspaceId,
    conversationId,
    role,
    content,
    metadata,
    author,
    personId = null,
    keyName,
    now,
    isIdle = false,
    purpose,
  }: SingleMessage,
): Promise<string> {
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
  const id = newId('msg');
  await transaction
    .insertInto('message')
    .values({
      id,
      conversation_id: conversationId,
      workspace_id: workspaceId,
      position: row.message_count,
      role,
      content,
      created_at: now,
      metadata: metadata === null ? null : JSON.stringify(metadata),
      terms: [...extractSearchTerms(workspaceId, content)],
      author,
      purpose: purpose ?? null,
      person_id: personId,
    })
    .execute();
  const isAgent = role === 'agent';
  const plan =
    isAgent && row.status !== 'claimed'
      ? planChange(row, { status: 'claimed' }, { now, lastVisitorMessageAt: now })
      : { columns: {}, changes: [] };
  await transaction
    .updateTable('conversation')
    .set({
      ...toStoredColumns(plan.columns),
      message_count: row.message_count + 1,
      ...(role === 'user' && { visitor_position: row.message_count }),
      ...(role === 'user' &&
        metadata !== null && {
          metadata: sql<string>`merged_metadata(channel, metadata, ${JSON.stringify(metadata)}::jsonb)`,
        }),
      // Read back from the stored row, because the database replaces times that are ahead of its own clock.
      last_message_at: sql`(select created_at from message where id = ${id})`,
      ...(!isIdle && {
        unanswered_since: isAgent || row.handover_since === null ? null : (row.unanswered_since ?? now),
      }),
    })
    .where('id', '=', conversationId)
    .execute();
  await writeAuditEntries(
    transaction,
    { id: conversationId, workspaceId, actor: namedActor(keyName ?? author ?? 'visitor'), at: now },
    plan.changes,
  );
  return id;
}

interface RequestKey {
  readonly workspaceId: string;
  /** Id of the message. */
  readonly id: string;
  readonly requestKey: string;
}

/** Stores the key of the request that a message came with, so that a repeated request finds the message. */
export async function storeRequestKey(
  transaction: Transaction<Tables>,
  { workspaceId, id, requestKey }: RequestKey,
): Promise<void> {
  await transaction
    .updateTable('message')
    .set({ request_key: requestKey })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .execute();
}
