import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** About 20 kB for 10,000 words: one in two thousand others is taken for one of them. */
export const FILTER_BYTES = 20_480;
const HASHES = 11;

/** Where the words came from and how the file was built is in `README.md`. */
const file = new URL('./common-passwords.bin', import.meta.url);
let filter: Uint8Array | undefined;

/** Returns true for each of the 10,000 most common passwords in its plain form, and by chance for few others. */
export function isCommonPassword(plain: string): boolean {
  filter ??= readFileSync(file);
  const bits = filter;
  return filterPlaces(plain).every((place) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0);
}

/** The bits of a word in the filter (Kirsch and Mitzenmacher: two hashes make all others). */
export function filterPlaces(word: string): readonly number[] {
  const digest = createHash('sha256').update(word).digest();
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
  return Array.from({ length: HASHES }, (_, each) => (first + each * second) % (FILTER_BYTES * 8));
}

const letters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
};

/**
 * Returns what is left of a password without capitals, digits and signs at its ends, and digits and signs in the place of
 * letters: `P@ssw0rd1234` and `password!` are both `password`. Words of few letters keep their ends.
 */
export function toPlainForm(password: string): string {
  const lower = password.normalize('NFKC').toLowerCase();
  const isLetter = (at: number) => /\p{L}/u.test(lower[at] ?? '');
  let start = 0;
  let end = lower.length;
  while (start < end && !isLetter(start)) start += 1;
  while (end > start && !isLetter(end - 1)) end -= 1;
  const word = end - start < 4 ? lower : lower.slice(start, end);
  return Array.from(word, (char) => letters[char] ?? char).join('');
}
