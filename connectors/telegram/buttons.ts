import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import type { Offer, Reply } from '../../core/contract/outbound.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { callTelegramOrThrow } from './api-client.ts';
import { botIdentity, formatMessageId, parseSender, replyAddress, toConversationRef } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { type TelegramPress, updateSchema } from './payloads.ts';

type Button = {
  readonly text: string;
  /** At most 64 bytes. */
  readonly callback_data: string;
};

type Keyboard = readonly (readonly Button[])[];

/** The `callback_data` of each button. */
const BUTTON_DATA = { up: 'feedback:up', down: 'feedback:down', human: 'human' } as const;

/** Returns the buttons below an answer, in rows. */
export function buildKeyboard({ offers, language }: Reply, { settings }: TelegramAccount): Keyboard {
  if (settings.buttons === false) return [];
  const rows: Readonly<Record<Offer, readonly Button[]>> = {
    feedback: [
      { text: '👍', callback_data: BUTTON_DATA.up },
      { text: '👎', callback_data: BUTTON_DATA.down },
    ],
    helped: [{ text: offerTexts(language).helped, callback_data: BUTTON_DATA.up }],
    human: [{ text: offerTexts(language).human, callback_data: BUTTON_DATA.human }],
  };
  return offers.map((offer) => rows[offer]);
}

/** Returns the call parameter for a keyboard. An edit without this parameter removes the buttons. */
export function replyMarkup(keyboard: Keyboard) {
  return keyboard.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: keyboard.map((row) => row.map((button) => ({ ...button }))) } };
}

/** Parses a press of one of this connector's buttons; null for other buttons. */
export function parseButtonPress(
  { message, from, data }: TelegramPress,
  account: TelegramAccount,
): InboundEvent | null {
  const address = message && replyAddress(message);
  if (message === null || address === null) return null;
  const presser = { from, sender_chat: null, is_automatic_forward: null, contact: null };
  const base = {
    conversation: toConversationRef(address),
    // Telegram does not send the time of a press; the time of the message is the lower bound.
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: parseSender(presser, botIdentity(account).id),
    messageId: formatMessageId({ chat: message.chat.id, message: message.message_id }),
  };
  if (data === BUTTON_DATA.up) return { type: 'feedback', ...base, value: 'up', comment: null };
  if (data === BUTTON_DATA.down) return { type: 'feedback', ...base, value: 'down', comment: null };
  if (data !== BUTTON_DATA.human) return null;
  return { type: 'message', ...base, text: '', attachments: [], addressed: true, command: 'human' };
}

/** Ends the loading state of a pressed button, even of an unknown one, and thanks the visitor for feedback. */
export async function acknowledge(native: Json, account: TelegramAccount, tools: Tools): Promise<void> {
  const press = updateSchema.safeParse(native).data?.callback_query;
  if (!press) return;
  const thanks =
    parseButtonPress(press, account)?.type === 'feedback' && offerTexts(press.from.language_code).thanks;
  const params = { callback_query_id: press.id, ...(thanks && { text: thanks }) };
  await callTelegramOrThrow({ method: 'answerCallbackQuery', params, result: z.unknown() }, account, tools);
}
