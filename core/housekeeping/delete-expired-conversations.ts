import { sql } from 'kysely';
import { newIdInOrder } from '../ids.ts';
import { planNames, plans } from '../workspaces/plan.ts';
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
 * Deletes conversations in which nothing was said for longer than their plan, or their workspace, keeps them; what was
 * told of their changes stays. One in which something is being said is left for later.
 */
export async function deleteExpiredConversations({ transaction, now }: TaskContext): Promise<number> {
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
