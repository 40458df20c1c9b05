import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import { planChange } from '../../conversations/plan-change.ts';
import { writeAudit } from '../../conversations/write-audit.ts';
import type { Tables } from '../../storage/tables.ts';
import { laneConversation } from '../lane-conversation.ts';
import type { LaneKey } from '../lane-key.ts';
import type { OpenAccount } from '../open-account.ts';
import { requireConversation } from '../require-conversation.ts';

interface Noted {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly event: Extract<InboundEvent, { type: 'status-changed' }>;
  readonly now: Date;
}

/** The platform's own inbox says who has the conversation. One that we know nothing of is only of interest when taken. */
export async function noteStatus(
  transaction: Transaction<Tables>,
  { key, open, event, now }: Noted,
): Promise<void> {
  const { conversation: to, status, by } = event;
  const known = await laneConversation(transaction, key, now);
  if (known === null && status !== 'claimed') return;
  const id = await requireConversation(transaction, { key, open, to, customer: null, heardAt: null, now });
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', open.workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { columns, changes } = planChange(
    row,
    { status },
    { now, lastVisitorMessageAt: row.last_message_at },
  );
  if (changes.length === 0) return;
  await transaction.updateTable('conversation').set(columns).where('id', '=', id).execute();
  await writeAudit(transaction, { id, workspaceId: open.workspaceId, actor: by, at: now }, changes);
}
