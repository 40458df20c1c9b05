import { languageOf } from './language-of.ts';
import { leaveOutAddresses } from './leave-out-addresses.ts';
import { leaveOutSigns } from './leave-out-signs.ts';
import { sayAbbreviations } from './say-abbreviations.ts';
import { sayDates } from './say-dates.ts';
import { sayDigits } from './say-digits.ts';
import { sayPrices } from './say-prices.ts';
import { sayRanges } from './say-ranges.ts';
import { sayTimes } from './say-times.ts';
import { sayUnits } from './say-units.ts';

/**
 * A text without markup as it is read aloud in that language (BCP 47): what a voice would stumble over is in words.
 * Numbers that every voice reads well stay as they are. Pure.
 */
export function spokenText(text: string, tag: string): string {
  const language = languageOf(tag);
  const told = leaveOutAddresses(text.normalize('NFC').replaceAll(/[\u00A0\u202F\u2009]/g, ' '), language);
  if (language === null) return leaveOutSigns(told, null);
  const dated = sayDigits(sayDates(sayAbbreviations(told, language), language, tag), language);
  const timed = sayTimes(sayRanges(dated, language), language);
  return leaveOutSigns(sayUnits(sayPrices(timed, language), language), language);
}
