import { sql } from 'kysely';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import { planNames, plans } from '../workspaces/workspace-settings.ts';

const daysByPlan = JSON.stringify(
  Object.fromEntries(planNames.map((name) => [name, plans[name].retentionDays])),
);
/** A report is read soon. */
const MAX_DAYS = 90;
const MAX_UPLOAD_HOURS = 2;

/**
 * Deletes imports with their tickets once they are as old as conversations may become, at most 90 days, and uploads that
 * never arrived whole.
 */
export async function purgeTicketImports({ transaction, now }: TaskContext): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ticket_import where id in (
      select ticket_import.id
      from ticket_import
      join workspace on workspace.id = ticket_import.workspace_id
      where ticket_import.created_at < ${now}::timestamptz - make_interval(
          hours => 24 * least(${MAX_DAYS}, (${daysByPlan}::jsonb ->> workspace.plan)::int,
                              (workspace.settings ->> 'retention_days')::int))
        or (ticket_import.state = 'uploading'
            and ticket_import.created_at < ${now}::timestamptz - make_interval(hours => ${MAX_UPLOAD_HOURS}))
      limit ${batchRows}
      for update of ticket_import skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
