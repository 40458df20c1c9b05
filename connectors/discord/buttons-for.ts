import type { APIActionRowComponent, APIButtonComponentWithCustomId } from 'discord.js';
import { offerTexts } from '../shared/offer-texts.ts';
import type { Part } from './part.ts';
import { type Press, writePress } from './presses.ts';

const ROW = 1;
const BUTTON = 2;
const GREY = 2;

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** One row of buttons, or none. The signs say what they are in every language; only the person is named. */
export function buttonsFor({ offers, language }: Pick<Part, 'offers' | 'language'>, lane: string): Row[] {
  const button = (press: Press, emoji: string, label?: string): APIButtonComponentWithCustomId => ({
    type: BUTTON,
    style: GREY,
    emoji: { name: emoji },
    custom_id: writePress(press, lane),
    ...(label !== undefined && { label }),
  });
  const buttons = [
    ...(offers.includes('feedback') ? [button('up', '👍'), button('down', '👎')] : []),
    ...(offers.includes('human') ? [button('human', '🙋', offerTexts(language).human)] : []),
  ];
  return buttons.length === 0 ? [] : [{ type: ROW, components: buttons }];
}
