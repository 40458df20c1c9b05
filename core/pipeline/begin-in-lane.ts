import type { Transaction } from 'kysely';
import type { Sender } from '../contract/inbound-event.ts';
import { beginConversation } from '../conversations/begin-conversation.ts';
import type { Customer } from '../conversations/turn.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';
import type { OpenAccount } from './open-account.ts';
import { sessionOf } from './session-of.ts';

interface Beginning {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly customer: Customer | null;
  readonly now: Date;
}

/** A new conversation of what is said in a lane; its id. The lane does not lead to it yet. */
export function beginInLane(
  transaction: Transaction<Tables>,
  { key, open, customer, now }: Beginning,
): Promise<string> {
  const { workspaceId, connector } = open;
  const { channel } = connector.manifest;
  return beginConversation(transaction, { workspaceId, channel, sessionId: sessionOf(key), customer, now });
}

/** A sender as the customer of a conversation: connectors pass on only addresses that the platform vouches for. */
export function senderCustomer({ name, email, phone }: Sender): Customer {
  return { name, email, emailVerified: email !== null, phone };
}
