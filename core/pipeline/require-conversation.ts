import type { Transaction } from 'kysely';
import type { ConversationRef } from '../contract/account.ts';
import type { Customer } from '../conversations/turn.ts';
import type { Tables } from '../storage/tables.ts';
import { beginInLane } from './begin-in-lane.ts';
import { laneConversation, setLaneConversation } from './lane-conversation.ts';
import type { LaneKey } from './lane-key.ts';
import type { OpenAccount } from './open-account.ts';

interface Wanted {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly to: ConversationRef;
  readonly customer: Customer | null;
  /** When the visitor said something; null where it was not he. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** The conversation that goes on in a lane, or a new one there: for what is kept and not answered. */
export async function requireConversation(
  transaction: Transaction<Tables>,
  { key, open, to, customer, heardAt, now }: Wanted,
): Promise<string> {
  const known = await laneConversation(transaction, key, now);
  const conversationId = known?.id ?? (await beginInLane(transaction, { key, open, customer, now }));
  await setLaneConversation(transaction, key, { to, conversationId, heardAt });
  return conversationId;
}
