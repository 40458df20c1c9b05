import type { Offer, Reply } from '../../core/contract/outbound.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import type { TelegramAccount } from './manifest.ts';

type Button = {
  readonly text: string;
  /** At most 64 bytes. */
  readonly callback_data: string;
};

export type Keyboard = readonly (readonly Button[])[];

/** What Telegram tells us of a button that was pressed. */
export const buttonData = { up: 'feedback:up', down: 'feedback:down', human: 'human' } as const;

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
