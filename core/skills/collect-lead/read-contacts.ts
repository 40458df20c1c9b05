import { fold } from '../../knowledge/text/words.ts';

/** Letters of any script, so that internationalised addresses count; parts as long as mail allows them. */
const ADDRESS =
  /(?<![\p{L}\p{M}\p{N}._%+'@-])[\p{L}\p{M}\p{N}_%+-]{1,64}(?:[.'][\p{L}\p{M}\p{N}_%+-]{1,64})*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:xn--[a-z\d-]{1,58}[a-z\d]|\p{L}[\p{L}\p{M}]{1,62})(?![\p{L}\p{M}\p{N}@_-])/giu;
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** An e-mail address or a phone number as it was written, and where. */
export interface FoundContact {
  readonly text: string;
  readonly at: number;
}

/** The e-mail addresses that a text holds, in its order. */
export function findEmails(text: string): readonly FoundContact[] {
  return Array.from(text.matchAll(ADDRESS), (match) => ({ text: match[0], at: match.index })).filter(
    ({ text: found }) => found.length <= LONGEST && found.indexOf('@') <= LONGEST_LOCAL,
  );
}

/** What shows that digits are a phone number, and what that they are not; of folded text. */
const phoneCues = {
  phone:
    /(?:tele)?phone|\b(?:tel|call|ring|reach|text|sms|cell|mobile|mobil|handy|fax|whatsapp|signal)\b|telefon|anruf|\bruf|erreich|llam|movil|celular|rappel|appel|portable|joindre|joignable|chiam|cellulare|\bligar|\bligue|telemovel|telefoon|\bbel\b|\b(?:my|meine|mi|mon|mijn|meu|mio) (?:number|nummer|numero)\b/gu,
  other:
    /order|invoice|ticket|\bcase\b|\bref|tracking|serial|account|customer|number of|\bid\b|iban|\bzip\b|\bplz\b|postal|\bvat\b|\bust|version|bestell|rechnung|kunden|auftrag|konto|sendung|pedido|factura|cuenta|cliente|commande|facture|client|compte|colis|\bfrom\b.{0,80}\bto\b/u,
} as const;

const CANDIDATE = /(?<![\p{L}\p{N}@._+-])(?:\+\s?|\(\+?|\()?\d(?:[\s()./–-]{0,3}\d){5,17}(?![\p{L}\p{N}@])/gu;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:\s+\d{1,2}[.:]?\d{0,2})?$|^\d{4}\s?[-–/]\s?\d{4}$/u;
const NETWORK_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/u;
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
/** How far before or after the number a word may say what it is. */
const NEAR_BEFORE = 60;
const NEAR_AFTER = 25;
/** How near a word must be that says that it is something else. */
const VERY_NEAR = 22;
/** An answer that only gives a number has few other words. */
const FEW_WORDS = 5;

/**
 * The phone numbers that a text holds, in its order: with a plus, or with a word near them that speaks of a phone, or,
 * where one was asked for, digits with little else.
 */
export function findPhones(text: string, wasAsked: boolean): readonly FoundContact[] {
  // What looks like a number within an address is none.
  const rest = findEmails(text).reduce(
    (kept, { text: email }) => kept.replace(email, '@'.repeat(email.length)),
    text,
  );
  const candidates = Array.from(rest.matchAll(CANDIDATE), (match) => ({ text: match[0], at: match.index }));
  const otherWords = rest.replace(CANDIDATE, ' ').match(/\p{L}+/gu)?.length ?? 0;
  const isBareAnswer = wasAsked && otherWords <= FEW_WORDS;
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
  if (digits < FEWEST_DIGITS || digits > MOST_DIGITS) return false;
  return !DATE.test(found) && !NETWORK_ADDRESS.test(found);
}

/** Null where no word tells. */
function isLabelledPhone({ text: found, at }: FoundContact, text: string, from: number): boolean | null {
  if (/^\(?\+/u.test(found)) return true;
  if (phoneCues.other.test(fold(text.slice(Math.max(from, at - VERY_NEAR), at)))) return false;
  const end = at + found.length;
  const before = fold(text.slice(Math.max(0, at - NEAR_BEFORE), at));
  const after = fold(text.slice(end, end + NEAR_AFTER)).split(/[.!?\d]/u)[0] ?? '';
  return [before, after].some((near) => near.search(phoneCues.phone) >= 0) ? true : null;
}

function withoutLoneBracket(found: string): string {
  return found.includes(')') ? found : found.replace('(', '');
}
