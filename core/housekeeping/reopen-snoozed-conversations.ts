import { writeAudit } from '../conversations/write-audit.ts';
import { batchRows, type TaskContext } from './task.ts';

/** Opens conversations that were snoozed until now. */
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
    const reopened = { id, workspaceId: workspace_id, actor: 'snooze', at: now };
    const details = { from: 'snoozed', to: 'open' };
    await writeAudit(transaction, reopened, [{ action: 'status_changed', details }]);
  }
  return rows.length;
}
