import type { InboundEvent } from '../../core/contract/inbound.ts';
import { conversationAt } from './address.ts';
import { botOf } from './bot-of.ts';
import { buttonData } from './keyboard.ts';
import type { TelegramAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { placeOf } from './place-of.ts';
import { senderOf } from './sender-of.ts';
import type { TelegramPress } from './update-schema.ts';

/** What the button of an answer of ours says that was pressed; null for one that we do not have. */
export function pressOf(
  { message, from, data }: TelegramPress,
  account: TelegramAccount,
): InboundEvent | null {
  const place = message && placeOf(message);
  if (message === null || place === null) return null;
  const presser = { from, sender_chat: null, is_automatic_forward: null, contact: null };
  const said = {
    conversation: conversationAt(place),
    // When it was pressed is not told: not before the answer was sent.
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: senderOf(presser, botOf(account).id),
    messageId: writeMessageId({ chat: message.chat.id, message: message.message_id }),
  };
  if (data === buttonData.up) return { type: 'feedback', ...said, value: 'up', comment: null };
  if (data === buttonData.down) return { type: 'feedback', ...said, value: 'down', comment: null };
  if (data !== buttonData.human) return null;
  return { type: 'message', ...said, text: '', attachments: [], addressed: true, command: 'human' };
}
