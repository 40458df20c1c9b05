import { sql, type Transaction } from 'kysely';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';
import { messageTerms } from './message-terms.ts';
import { planChange } from './plan-change.ts';
import { writeAudit } from './write-audit.ts';

/** One message without an answer: a visitor's while a person has the conversation, or that person's. */
export interface LoneMessage {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly role: 'user' | 'agent';
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The person's address; null for a visitor. */
  readonly author: string | null;
  readonly now: Date;
  /** Nobody has to answer it. */
  readonly isIdle?: boolean;
}

/** Returns the message's id. An agent's first one claims the conversation. Throws `conversation_not_found`. */
export async function storeMessage(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, role, content, metadata, author, now, isIdle = false }: LoneMessage,
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
      terms: [...messageTerms(workspaceId, content)],
      author,
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
      ...plan.columns,
      message_count: row.message_count + 1,
      // As it was stored: the database takes no time that it has not reached.
      last_message_at: sql`(select created_at from message where id = ${id})`,
      ...(!isIdle && {
        unanswered_since: isAgent || row.handover_since === null ? null : (row.unanswered_since ?? now),
      }),
    })
    .where('id', '=', conversationId)
    .execute();
  await writeAudit(
    transaction,
    { id: conversationId, workspaceId, actor: author ?? 'visitor', at: now },
    plan.changes,
  );
  return id;
}
