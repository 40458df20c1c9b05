import { type Kysely, sql } from 'kysely';
import { newIdInOrder } from '../../core/base/ids.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { planNames, plans } from '../../core/workspaces/workspace-settings.ts';
import { batchRows, type TaskContext } from './task.ts';

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
  if (rows.length === 0) return 0;
  await transaction
    .insertInto('audit_entry')
    .values(
      rows.map(({ id, workspace_id, status, message_count }) => ({
        id: newIdInOrder('evt'),
        workspace_id,
        conversation_id: id,
        action: 'deleted',
        actor: 'retention',
        at: now,
        details: JSON.stringify({ status, message_count }),
      })),
    )
    .execute();
  return rows.length;
}

/**
 * Deletes what deleted workspaces leave behind: conversations and audit entries here, documents by the ingest
 * worker, and finally the workspaces themselves, once all large tables are empty.
 */
export async function purgeDeletedWorkspaces({ transaction, now }: TaskContext): Promise<number> {
  const deletedBefore = new Date(now.getTime() - deletionGraceMs);
  const conversations = await removeRows(transaction, 'conversation', deletedBefore);
  const entries = await removeRows(transaction, 'audit_entry', deletedBefore);
  const rows = Math.max(conversations, entries);
  if (rows >= batchRows) return rows;
  await sql`
    delete from workspace
    where deleted_at < ${deletedBefore}
      and not exists (select from document where workspace_id = workspace.id)
      and not exists (select from conversation where workspace_id = workspace.id)
      and not exists (select from audit_entry where workspace_id = workspace.id)
  `.execute(transaction);
  return rows;
}

async function removeRows(
  transaction: Kysely<Tables>,
  table: 'conversation' | 'audit_entry',
  deletedBefore: Date,
): Promise<number> {
  const name = sql.table(table);
  const { numAffectedRows } = await sql`
    delete from ${name} where id in (
      select ${name}.id from workspace
      join ${name} on ${name}.workspace_id = workspace.id
      where workspace.deleted_at < ${deletedBefore}
      limit ${batchRows}
      for update of ${name} skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** Time that requests started before a deletion may take to finish and store their results. */
const deletionGraceMs = 5 * 60_000;
