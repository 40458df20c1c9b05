import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';

const schema = z.object({
  chat: z.int(),
  kind: z.enum(['private', 'group', 'supergroup']),
  /** Of a forum; 1 is its General topic. */
  topic: z.int().nullable(),
});

export type Address = z.infer<typeof schema>;

const GENERAL = 1;

/** Messages of the General topic are those of the chat itself, as those of a group without topics are. */
export function conversationAt(address: Address): ConversationRef {
  return { lane: laneOf(address.chat, address.topic), address };
}

export function laneOf(chat: number, topic: number | null): string {
  return topic === null || topic === GENERAL ? String(chat) : `${chat}:${topic}`;
}

export function addressOf(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a Telegram chat.', { advice: { retry: 'never' } });
}

/** Telegram sends to the General topic where no topic is named, and finds none where it is. */
export function topicToSendTo({ topic }: Address): { message_thread_id?: number } {
  return topic === null || topic === GENERAL ? {} : { message_thread_id: topic };
}
