import { sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import { namedActor } from '../contract/actor.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type SlaPolicy, workspaceSettingsSchema } from '../workspaces/workspace-settings.ts';
import { slaCondition } from './inbox/sla.ts';

/** Reopens conversations whose snooze has ended. */
export async function reopenSnoozedConversations({ transaction, now }: TaskContext): Promise<number> {
  const rows = await transaction
    .updateTable('conversation')
    .set({ status: 'open', snooze_until: null })
    .where('id', 'in', (select) =>
      select
        .selectFrom('conversation')
        .select('id')
        .where('status', '=', 'snoozed')
        .where('snooze_until', '<=', now)
        .limit(batchRows)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'workspace_id'])
    .execute();
  for (const { id, workspace_id } of rows) {
    const reopened = { id, workspaceId: workspace_id, actor: namedActor('snooze'), at: now };
    const details = { from: 'snoozed', to: 'open' };
    await writeAuditEntries(transaction, reopened, [{ action: 'status_changed', details }]);
  }
  return rows.length;
}

interface SlaCheck {
  readonly workspaceId: string;
  readonly policy: SlaPolicy;
  readonly state: 'at_risk' | 'breached';
  readonly now: Date;
}

/** Queues a webhook event for each conversation whose SLA is at risk or breached, once for each state. */
export async function sendSlaWebhooks({ transaction, now }: TaskContext): Promise<number> {
  let maxRows = 0;
  for (const { workspaceId, policy } of await listSlaWorkspaces(transaction)) {
    for (const state of ['breached', 'at_risk'] as const) {
      maxRows = Math.max(maxRows, await queueSlaEvent(transaction, { workspaceId, policy, state, now }));
    }
  }
  return maxRows;
}

/** Returns the workspaces with an SLA policy and a webhook subscribed to SLA events. */
async function listSlaWorkspaces(transaction: Transaction<Tables>) {
  const rows = await transaction
    .selectFrom('workspace')
    .select(['id', 'settings'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`settings ? 'sla'`)
    .where('id', 'in', (select) =>
      select
        .selectFrom('webhook')
        .select('workspace_id')
        .where('disabled_at', 'is', null)
        .where(sql<boolean>`events && '{sla.at_risk,sla.breached,*}'`),
    )
    .execute();
  return rows.flatMap(({ id, settings }) => {
    const policy = workspaceSettingsSchema.parse(settings).sla;
    return policy === undefined ? [] : [{ workspaceId: id, policy }];
  });
}

async function queueSlaEvent(
  transaction: Transaction<Tables>,
  { workspaceId, policy, state, now }: SlaCheck,
): Promise<number> {
  const late = await transaction
    .selectFrom('conversation')
    .select(['id', 'channel', 'status', 'unanswered_since', 'handover_since'])
    .where('workspace_id', '=', workspaceId)
    .where(slaCondition(state, policy, now))
    .where((is) =>
      state === 'breached' ? is('sla_told', 'is distinct from', state) : is('sla_told', 'is', null),
    )
    .limit(batchRows)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { id, channel, status, unanswered_since, handover_since } of late) {
    const data = {
      workspace_id: workspaceId,
      conversation_id: id,
      channel,
      status,
      unanswered_since,
      handover_since,
    };
    await sql`
      select tell_webhooks(${workspaceId}, ${id}, ${`sla.${state}`}, ${now}::timestamptz, ${JSON.stringify(data)}::json)
    `.execute(transaction);
    await transaction
      .updateTable('conversation')
      .set({ sla_told: state })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  }
  return late.length;
}
