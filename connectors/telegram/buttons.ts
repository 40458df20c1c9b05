import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import type { Offer, Reply } from '../../core/contract/outbound.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { demandTelegram } from './api-client.ts';
import { botOf, conversationAt, placeOf, senderOf, writeMessageId } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { type TelegramPress, updateSchema } from './payloads.ts';

type Button = {
  readonly text: string;
  /** At most 64 bytes. */
  readonly callback_data: string;
};

type Keyboard = readonly (readonly Button[])[];

/** What Telegram tells us of a button that was pressed. */
const buttonData = { up: 'feedback:up', down: 'feedback:down', human: 'human' } as const;

/** The buttons under an answer, in rows. */
export function keyboardOf({ offers, language }: Reply, { settings }: TelegramAccount): Keyboard {
  if (settings.buttons === false) return [];
  const rows: Readonly<Record<Offer, readonly Button[]>> = {
    feedback: [
      { text: '👍', callback_data: buttonData.up },
      { text: '👎', callback_data: buttonData.down },
    ],
    human: [{ text: offerTexts(language).human, callback_data: buttonData.human }],
  };
  return offers.map((offer) => rows[offer]);
}

/** As calls take it; an edit without it takes the buttons away. */
export function markupOf(keyboard: Keyboard) {
  return keyboard.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: keyboard.map((row) => row.map((button) => ({ ...button }))) } };
}

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

/** Ends the sign of waiting on a button, also on one that we do not know, and thanks for what was said. */
export async function acknowledge(native: Json, account: TelegramAccount, tools: Tools): Promise<void> {
  const press = updateSchema.safeParse(native).data?.callback_query;
  if (!press) return;
  const thanks = pressOf(press, account)?.type === 'feedback' && offerTexts(press.from.language_code).thanks;
  const params = { callback_query_id: press.id, ...(thanks && { text: thanks }) };
  await demandTelegram({ method: 'answerCallbackQuery', params, result: z.unknown() }, account, tools);
}
