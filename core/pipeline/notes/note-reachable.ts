import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';
import { setReachable } from '../set-reachable.ts';

interface Told {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'reachable' }>;
}

/** The platform, or the visitor himself, says whether anything is taken there. */
export function noteReachable(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, reachable, wished } }: Told,
): Promise<void> {
  const wish = wished === true && { opted_out: !reachable };
  return setReachable(transaction, { channelId, lane: conversation.lane }, { reachable, ...wish });
}
