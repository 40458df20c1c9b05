import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { conversationAt } from './address.ts';
import { addressing } from './addressing.ts';
import { attachmentsOf } from './attachments-of.ts';
import { botOf } from './bot-of.ts';
import type { TelegramAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { movedOf } from './moved-of.ts';
import { nativeTypeOf } from './native-type-of.ts';
import { placeOf } from './place-of.ts';
import { pressOf } from './press-of.ts';
import { reachableOf } from './reachable-of.ts';
import { senderOf } from './sender-of.ts';
import { type TelegramMessage, updateSchema } from './update-schema.ts';

export function normalise(native: Json, account: TelegramAccount): readonly InboundEvent[] {
  const { data: update } = updateSchema.safeParse(native);
  const event =
    (update?.message && (movedOf(update.message) ?? messageOf(update.message, account))) ??
    (update?.edited_message && editOf(update.edited_message, account)) ??
    (update?.my_chat_member && reachableOf(update.my_chat_member)) ??
    (update?.callback_query && pressOf(update.callback_query, account));
  return [event ?? { type: 'unsupported', nativeType: nativeTypeOf(native) }];
}

/** Null for what is no message of somebody: who came, what was pinned, a new title. */
function messageOf(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const said = saidOf(message, account);
  const attachments = attachmentsOf(message);
  const says = message.text !== null || message.caption !== null || attachments.length > 0;
  if (said === null || !says) return null;
  const spoken = addressing(message, botOf(account));
  // Who only names us says hello.
  const greeting = spoken.text === '' && attachments.length === 0 ? 'start' : null;
  return { type: 'message', ...said, ...spoken, attachments, command: spoken.command ?? greeting };
}

function editOf(message: TelegramMessage, account: TelegramAccount): InboundEvent | null {
  const said = saidOf(message, account);
  if (said === null || (message.text === null && message.caption === null)) return null;
  const sentAt = message.edit_date === null ? said.sentAt : new Date(message.edit_date * 1_000);
  return { type: 'message-edited', ...said, sentAt, text: addressing(message, botOf(account)).text };
}

function saidOf(message: TelegramMessage, account: TelegramAccount) {
  const place = placeOf(message);
  if (place === null) return null;
  return {
    conversation: conversationAt(place),
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: senderOf(message, botOf(account).id),
    messageId: writeMessageId({ chat: message.chat.id, message: message.message_id }),
  };
}
