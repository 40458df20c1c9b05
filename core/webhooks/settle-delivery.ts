import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { ClaimedDelivery } from './claim-delivery.ts';
import { disableWebhook } from './disable-webhook.ts';
import { nextAttempt } from './next-attempt.ts';
import type { PostOutcome } from './post-message.ts';
import { retryAfterMs } from './retry-after.ts';

interface Attempt {
  readonly outcome: PostOutcome;
  readonly now: Date;
}

export interface SettledDelivery {
  readonly became: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
  /** Why the webhook was disabled just now. */
  readonly disabled: string | null;
}

const gone = 410;

/** Writes down what became of a try. One that was taken over by another meanwhile changes nothing. */
export async function settleDelivery(
  database: Kysely<Tables>,
  delivery: ClaimedDelivery,
  attempt: Attempt,
): Promise<SettledDelivery> {
  const settled = planSettlement(delivery, attempt);
  const { outcome, now } = attempt;
  return database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('webhook_delivery')
      .set({
        status: settled.became,
        next_attempt_at: settled.nextAttemptAt,
        last_status: outcome.status,
        last_error: outcome.error,
        delivered_at: settled.became === 'delivered' ? now : null,
      })
      .where('id', '=', delivery.id)
      .where('workspace_id', '=', delivery.workspace_id)
      .where('status', '=', 'pending')
      .where('attempts', '=', delivery.attempts)
      .execute();
    if (settled.became !== 'failed') return settled;
    const reason = await reasonToDisable(transaction, delivery, outcome);
    if (reason === null) return settled;
    const { workspace_id: workspaceId, webhook_id: id } = delivery;
    const disabled = await disableWebhook(transaction, { workspaceId, id }, { reason, at: now });
    return { ...settled, disabled: disabled ? reason : null };
  });
}

function planSettlement(
  { attempts, queued_at: queuedAt }: ClaimedDelivery,
  { outcome, now }: Attempt,
): SettledDelivery {
  const end = { nextAttemptAt: null, disabled: null };
  if (outcome.error === null) return { became: 'delivered', ...end };
  if (outcome.status === gone) return { became: 'failed', ...end };
  const wishMs = retryAfterMs(outcome.retryAfter, now);
  const nextAttemptAt = nextAttempt({ attempts, queuedAt, now, wishMs });
  return { became: nextAttemptAt === null ? 'failed' : 'pending', nextAttemptAt, disabled: null };
}

/** Null for one message that a receiver cannot take, while it takes others. */
async function reasonToDisable(
  transaction: Transaction<Tables>,
  delivery: ClaimedDelivery,
  { status, error }: PostOutcome,
): Promise<string | null> {
  if (status === gone) return 'The receiver answered that it is gone (410).';
  const arrived = await transaction
    .selectFrom('webhook_delivery')
    .select('id')
    .where('webhook_id', '=', delivery.webhook_id)
    .where('workspace_id', '=', delivery.workspace_id)
    .where('delivered_at', '>=', delivery.queued_at)
    .limit(1)
    .executeTakeFirst();
  return arrived === undefined ? `Nothing arrived for a day. ${error}` : null;
}
