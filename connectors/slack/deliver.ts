import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import type { OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { addressOf } from './address.ts';
import type { SlackAccount } from './manifest.ts';
import { messageMark } from './message-mark.ts';
import { partOf } from './part.ts';
import { postPart } from './post-part.ts';

export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  return postPart(
    { part: partOf(part), address: addressOf(to), mark: messageMark(part, account) },
    account,
    tools,
  );
}
