import { maskSecrets } from '../answering/masking.ts';

const ADDRESS = /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/giu;
/** A telephone number: digits with usual separators. */
const NUMBER = /(?<![\p{L}\p{N}.,])\+?\(?\d[\d ()/.-]{6,24}\d(?![\p{L}\p{N}])/gu;
const MIN_DIGITS = 9;
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b/u;
const MAX_NAMES = 12;
const MIN_NAME = 3;
const MAX_NAME = 40;

/**
 * Returns the text of a ticket as it is stored: without secrets, addresses, telephone numbers and the names of the people
 * in it, whatever the workspace's settings are. Pure.
 */
export function maskTicket(text: string, names: readonly string[]): string {
  const plain = maskSecrets(text)
    .replace(ADDRESS, '[email]')
    .replace(NUMBER, (found) => (isTelephone(found) ? '[phone]' : found));
  const words = nameWords(names);
  if (words.length === 0) return plain;
  return plain.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'gu'),
    '[name]',
  );
}

function isTelephone(found: string): boolean {
  return found.replaceAll(/\D/gu, '').length >= MIN_DIGITS && !DATE.test(found);
}

/** The words of names, longest first: letters, apostrophes and hyphens. A word in lower case may be a common one. */
function nameWords(names: readonly string[]): readonly string[] {
  const words = names
    .slice(0, MAX_NAMES)
    .flatMap((name) => name.slice(0, 200).split(/[^\p{L}\p{M}'’-]+/u))
    .filter((word) => word.length >= MIN_NAME && word.length <= MAX_NAME && /^\p{Lu}/u.test(word));
  return [...new Set(words)].sort((one, other) => other.length - one.length);
}
