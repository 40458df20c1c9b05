import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import type { OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { type Address, addressOf, conversationAt, topicToSendTo } from './address.ts';
import { callTelegram } from './call-telegram.ts';
import { markupOf } from './keyboard.ts';
import type { TelegramAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { type Part, partOf } from './part.ts';
import { refusalError } from './refusal.ts';
import { refusesMarkup } from './refuses-markup.ts';

const result = z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) });

/** One that Telegram refused because of its markup is sent plain; one to a group that moved goes after it. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: TelegramAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = partOf(part);
  const from = addressOf(to);
  let address = from;
  let plain = false;
  for (;;) {
    const params = messageOf(content, address, plain);
    const outcome = await callTelegram({ method: 'sendMessage', params, result }, account, tools);
    if (outcome.ok) {
      const { chat, message_id: message } = outcome.result;
      const messageId = writeMessageId({ chat: chat.id, message });
      return address === from ? { messageId } : { messageId, moved: conversationAt(address) };
    }
    const { refusal } = outcome;
    if (refusal.movedTo !== null && address === from) {
      address = { chat: refusal.movedTo, kind: 'supergroup', topic: null };
    } else if (refusesMarkup(refusal) && !plain) {
      tools.log.warn(
        { because: refusal.words },
        'Telegram refused the markup of a message: it goes out plain',
      );
      plain = true;
    } else throw refusalError(refusal, tools.now());
  }
}

function messageOf(part: Part, address: Address, plain: boolean) {
  return {
    chat_id: address.chat,
    ...topicToSendTo(address),
    ...(plain ? { text: part.text } : { text: part.html, parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
    ...markupOf(part.keyboard),
    ...(part.replyTo === null
      ? {}
      : { reply_parameters: { message_id: part.replyTo, allow_sending_without_reply: true } }),
  };
}
