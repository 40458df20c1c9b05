import { z } from 'zod';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';

const schema = z.object({
  /** As Twilio writes them: a number, or `whatsapp:` and a number or another id. */
  visitor: z.string(),
  number: z.string(),
  /** The sid of what the visitor said last. */
  heard: z.string().nullable(),
});

export type Address = z.infer<typeof schema>;

/** A conversation is a pair of numbers. */
export function conversationAt(address: Address): ConversationRef {
  return { lane: laneOf(address), address };
}

export function laneOf({ visitor, number }: Pick<Address, 'visitor' | 'number'>): string {
  return `${number}/${visitor}`;
}

export function addressOf(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a conversation at Twilio.', {
    advice: { retry: 'never' },
  });
}
