import { sql } from 'kysely';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import { DEFAULT_TRACE_DAYS } from '../../workspaces/workspace-settings.ts';

/** Removes the traces of answers that are older than their workspace keeps them. The answers stay. */
export async function purgeTraces({ transaction, now }: TaskContext): Promise<number> {
  const { numAffectedRows } = await sql`
    with expired as (
      select old.id
      from workspace
      cross join lateral (
        select id from message
        where workspace_id = workspace.id and trace is not null
          and created_at < ${now}::timestamptz
            - make_interval(hours => 24 * coalesce((workspace.settings ->> 'trace_days')::int, ${DEFAULT_TRACE_DAYS}))
        order by created_at
        limit ${batchRows}
        for update skip locked
      ) old
      limit ${batchRows}
    )
    update message set trace = null where id in (select id from expired)
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
