import { type Kysely, sql, type Transaction } from 'kysely';
import { auditDeletions } from '../audit/audit-log.ts';
import { type Actor, namedActor } from '../contract/actor.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { planNames, plans } from '../workspaces/workspace-settings.ts';

const daysByPlan = JSON.stringify(
  Object.fromEntries(planNames.map((name) => [name, plans[name].retentionDays])),
);

interface Expired {
  readonly id: string;
  readonly workspace_id: string;
  readonly status: string;
  readonly message_count: number;
}

/**
 * Deletes conversations without a message for longer than the retention of the plan or workspace. Keeps their
 * audit entries. Conversations that are locked by a running turn are left for the next round.
 */
export async function purgeExpiredConversations({ transaction, now }: TaskContext): Promise<number> {
  const { rows } = await sql<Expired>`
    with expired as (
      select old.id
      from workspace
      cross join lateral (
        select least((${daysByPlan}::jsonb ->> workspace.plan)::int,
                     (workspace.settings ->> 'retention_days')::int) as days
      ) kept
      cross join lateral (
        select id from conversation
        where workspace_id = workspace.id
          and last_message_at < ${now}::timestamptz - make_interval(hours => 24 * kept.days)
        order by last_message_at
        limit ${batchRows}
        for update skip locked
      ) old
      where workspace.deleted_at is null
      limit ${batchRows}
    )
    delete from conversation where id in (select id from expired)
    returning id, workspace_id, status, message_count
  `.execute(transaction);
  await auditDeletions(transaction, rows, { actor: namedActor('retention'), at: now });
  return rows.length;
}

/** Deletes conversations of workspaces that were deleted before a time. Returns their number. */
export async function removeConversations(
  transaction: Kysely<Tables>,
  { deletedBefore, most }: { readonly deletedBefore: Date; readonly most: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from conversation where id in (
      select conversation.id from workspace
      join conversation on conversation.workspace_id = workspace.id
      where workspace.deleted_at < ${deletedBefore}
      limit ${most}
      for update of conversation skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes conversations with all that belongs to them. Returns their number. */
export async function deleteConversations(
  transaction: Transaction<Tables>,
  ids: readonly string[],
): Promise<bigint> {
  const deleted = await transaction
    .deleteFrom('conversation')
    .where('id', 'in', [...ids])
    .executeTakeFirst();
  return deleted.numDeletedRows;
}

interface DeletedConversation {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** Deletes a conversation and writes the audit entry. Returns false if there is none. */
export async function deleteConversation(
  transaction: Transaction<Tables>,
  { workspaceId, id, actor, at }: DeletedConversation,
): Promise<boolean> {
  const row = await transaction
    .deleteFrom('conversation')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'workspace_id', 'status', 'message_count'])
    .executeTakeFirst();
  if (row === undefined) return false;
  await auditDeletions(transaction, [row], { actor, at });
  return true;
}
