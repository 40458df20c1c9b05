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

/** What Telegram tells us of a button that was pressed. */
const BUTTON_DATA = { up: 'feedback:up', down: 'feedback:down', human: 'human' } as const;

/** The buttons under an answer, in rows. */
export function buildKeyboard({ offers, language }: Reply, { settings }: TelegramAccount): Keyboard {
  if (settings.buttons === false) return [];
  const rows: Readonly<Record<Offer, readonly Button[]>> = {
    feedback: [
      { text: '👍', callback_data: BUTTON_DATA.up },
      { text: '👎', callback_data: BUTTON_DATA.down },
    ],
    human: [{ text: offerTexts(language).human, callback_data: BUTTON_DATA.human }],
  };
  return offers.map((offer) => rows[offer]);
}

/** As calls take it; an edit without it takes the buttons away. */
export function replyMarkup(keyboard: Keyboard) {
  return keyboard.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: keyboard.map((row) => row.map((button) => ({ ...button }))) } };
}

/** What the button of an answer of ours says that was pressed; null for one that we do not have. */
export function parseButtonPress(
  { message, from, data }: TelegramPress,
  account: TelegramAccount,
): InboundEvent | null {
  const place = message && replyAddress(message);
  if (message === null || place === null) return null;
  const presser = { from, sender_chat: null, is_automatic_forward: null, contact: null };
  const said = {
    conversation: toConversationRef(place),
    // When it was pressed is not told: not before the answer was sent.
    sentAt: new Date((message.date ?? 0) * 1_000),
    sender: parseSender(presser, botIdentity(account).id),
    messageId: formatMessageId({ chat: message.chat.id, message: message.message_id }),
  };
  if (data === BUTTON_DATA.up) return { type: 'feedback', ...said, value: 'up', comment: null };
  if (data === BUTTON_DATA.down) return { type: 'feedback', ...said, value: 'down', comment: null };
  if (data !== BUTTON_DATA.human) return null;
  return { type: 'message', ...said, text: '', attachments: [], addressed: true, command: 'human' };
}

/** Ends the sign of waiting on a button, also on one that we do not know, and thanks for what was said. */
export async function acknowledge(native: Json, account: TelegramAccount, tools: Tools): Promise<void> {
  const press = updateSchema.safeParse(native).data?.callback_query;
  if (!press) return;
  const thanks =
    parseButtonPress(press, account)?.type === 'feedback' && offerTexts(press.from.language_code).thanks;
  const params = { callback_query_id: press.id, ...(thanks && { text: thanks }) };
  await callTelegramOrThrow({ method: 'answerCallbackQuery', params, result: z.unknown() }, account, tools);
}
