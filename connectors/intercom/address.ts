import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';

const schema = z.object({ conversation: z.string().min(1) });

/** A conversation of Intercom's is one of ours. */
export function conversationAt(conversation: string): ConversationRef {
  return { lane: conversation, address: { conversation } };
}

/** Its id. */
export function addressOf({ address }: ConversationRef): string {
  const read = schema.safeParse(address);
  if (read.success) return read.data.conversation;
  throw new ConnectorError('This is not the address of an Intercom conversation.', {
    advice: { retry: 'never' },
  });
}
