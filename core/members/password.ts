import { AppError } from '../base/errors.ts';
import { isCommonPassword, toPlainForm } from './guesses/common-passwords.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
const MIN_DISTINCT = 5;
/** Characters that a password may have beside a row of keys or a row of the alphabet. */
const MAX_BESIDE_ROWS = 3;
const MIN_ROW = 4;
const MIN_NAME = 4;

/** Keys beside each other, on keyboards of several countries, and what people type up and down. */
const forward = [
  '1234567890',
  'qwertyuiop[]',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiopü',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
];
const rows = [...forward, ...forward.map((row) => Array.from(row).reverse().join(''))];

/** Throws `weak_password`, which says why, unless the password is long and hard to guess. */
export function assertStrongPassword(password: string, email: string): void {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH || length > MAX_LENGTH) throw new AppError('weak_password');
  const detail = describeWeakness(password.normalize('NFKC').toLowerCase(), email.toLowerCase());
  if (detail !== null) throw new AppError('weak_password', { detail });
}

function describeWeakness(lower: string, email: string): string | null {
  const [name = ''] = email.split('@', 1);
  if (name.length >= MIN_NAME && lower.includes(name)) {
    return 'The password holds the name in your email address. Choose one without it.';
  }
  if (new Set(lower).size < MIN_DISTINCT) {
    return 'The password repeats a few characters. Choose one with more different ones.';
  }
  const unit = repeatedUnit(lower);
  if (charactersBesideRows(unit) <= MAX_BESIDE_ROWS) {
    return 'The password is a row of keys or letters. Choose one that is no row.';
  }
  if (isCommonPassword(toPlainForm(unit)) || isCommonPassword(toPlainForm(lower)) || isOneCommonWord(lower)) {
    return 'The password is a common word or password with digits or signs added. Choose several words that do not belong together.';
  }
  return unit !== lower ? 'The password repeats the same characters. Choose one that does not.' : null;
}

/** The shortest part that the password consists of, which is the password itself in most cases. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.length % length !== 0) continue;
    const unit = text.slice(0, length);
    if (unit.repeat(text.length / length) === text) return unit;
  }
  return text;
}

function charactersBesideRows(text: string): number {
  let beside = 0;
  for (let at = 0; at < text.length; ) {
    const length = rowLength(text, at);
    if (length === 0) beside += 1;
    at += Math.max(1, length);
  }
  return beside;
}

/** The length of the longest row that begins at a place; 0 without one. */
function rowLength(text: string, at: number): number {
  let longest = 0;
  for (let length = MIN_ROW; at + length <= text.length; length += 1) {
    const part = text.slice(at, at + length);
    if (!rows.some((row) => row.includes(part)) && part !== (part[0] ?? '').repeat(length)) break;
    longest = length;
  }
  return longest;
}

/** True for one common word that is written several times, with anything but letters between. */
function isOneCommonWord(lower: string): boolean {
  const words = new Set(lower.split(/[^\p{L}]/u).filter((word) => word.length >= MIN_NAME));
  const [word = ''] = words;
  return (
    words.size === 1 && isCommonPassword(toPlainForm(word)) && !/\p{L}/u.test(lower.replaceAll(word, ''))
  );
}
