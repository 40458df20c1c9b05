import { joinAlternatives } from '../../../language/find-language.ts';
import { fold } from '../../../language/words.ts';

/** Accepts letters of any script, for internationalised addresses. Part lengths follow the limits of e-mail. */
const ADDRESS =
  /(?<![\p{L}\p{M}\p{N}._%+'@-])[\p{L}\p{M}\p{N}_%+-]{1,64}(?:[.'][\p{L}\p{M}\p{N}_%+-]{1,64})*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:xn--[a-z\d-]{1,58}[a-z\d]|\p{L}[\p{L}\p{M}]{1,62})(?![\p{L}\p{M}\p{N}@_-])/giu;
const MAX_ADDRESS_CHARACTERS = 254;
const MAX_LOCAL_PART_CHARACTERS = 64;

/** An e-mail address or a phone number as written, with its index in the text. */
export interface FoundContact {
  readonly text: string;
  readonly at: number;
}

/** Returns the e-mail addresses in a text, in order. */
export function findEmails(text: string): readonly FoundContact[] {
  return Array.from(text.matchAll(ADDRESS), (match) => ({ text: match[0], at: match.index })).filter(
    ({ text: found }) =>
      found.length <= MAX_ADDRESS_CHARACTERS && found.indexOf('@') <= MAX_LOCAL_PART_CHARACTERS,
  );
}

/** Words that mark digits as a phone number, or as another number. They match folded text. */
const numberOwner = joinAlternatives(({ contactWords }) => contactWords?.numberOwner);
const numberNoun = joinAlternatives(({ contactWords }) => contactWords?.numberNoun);
const phoneCues = {
  phone: new RegExp(
    `${joinAlternatives(({ contactWords }) => contactWords?.phone)}|\\b(?:${numberOwner}) (?:${numberNoun})\\b`,
    'gu',
  ),
  other: new RegExp(
    joinAlternatives(({ contactWords }) => contactWords?.otherNumbers),
    'u',
  ),
} as const;

const CANDIDATE = /(?<![\p{L}\p{N}@._+-])(?:\+\s?|\(\+?|\()?\d(?:[\s()./–-]{0,3}\d){5,17}(?![\p{L}\p{N}@])/gu;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:\s+\d{1,2}[.:]?\d{0,2})?$|^\d{4}\s?[-–/]\s?\d{4}$/u;
const NETWORK_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/u;
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** Characters before and after a number in which a word can mark it as a phone number. */
const CUE_DISTANCE_BEFORE = 60;
const CUE_DISTANCE_AFTER = 25;
/** Characters before a number in which a word can mark it as another number. */
const OTHER_CUE_DISTANCE = 22;
/** A message that only answers with a number has at most this many other words. */
const MAX_OTHER_WORDS = 5;

/**
 * Returns the phone numbers in a text, in order. Digits count if they have a plus, if a word near them speaks of a phone,
 * or, after the visitor was asked for a number, if the message holds few other words.
 */
export function findPhones(text: string, wasAsked: boolean): readonly FoundContact[] {
  // Digits inside an e-mail address are no phone number.
  const rest = findEmails(text).reduce(
    (remaining, { text: email }) => remaining.replace(email, '@'.repeat(email.length)),
    text,
  );
  const candidates = Array.from(rest.matchAll(CANDIDATE), (match) => ({ text: match[0], at: match.index }));
  const otherWords = rest.replace(CANDIDATE, ' ').match(/\p{L}+/gu)?.length ?? 0;
  const isBareAnswer = wasAsked && otherWords <= MAX_OTHER_WORDS;
  return candidates
    .filter(({ text: found }) => isPlausiblePhone(found))
    .filter((found, index) => {
      const previous = candidates[index - 1];
      const from = previous === undefined ? 0 : previous.at + previous.text.length;
      return isLabelledPhone(found, rest, from) ?? isBareAnswer;
    })
    .map(({ text: found, at }) => ({ text: withoutLoneBracket(found), at }));
}

function isPlausiblePhone(found: string): boolean {
  const digits = found.replace(/\D/gu, '').length;
  if (digits < MIN_DIGITS || digits > MAX_DIGITS) return false;
  return !DATE.test(found) && !NETWORK_ADDRESS.test(found);
}

/** Returns null if no word near the number decides. */
function isLabelledPhone({ text: found, at }: FoundContact, text: string, from: number): boolean | null {
  if (/^\(?\+/u.test(found)) return true;
  if (phoneCues.other.test(fold(text.slice(Math.max(from, at - OTHER_CUE_DISTANCE), at)))) return false;
  const end = at + found.length;
  const before = fold(text.slice(Math.max(0, at - CUE_DISTANCE_BEFORE), at));
  const after = fold(text.slice(end, end + CUE_DISTANCE_AFTER)).split(/[.!?\d]/u)[0] ?? '';
  return [before, after].some((near) => near.search(phoneCues.phone) >= 0) ? true : null;
}

function withoutLoneBracket(found: string): string {
  return found.includes(')') ? found : found.replace('(', '');
}
