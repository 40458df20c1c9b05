import { joinAlternatives, uniteWords } from '../../../language/find-language.ts';
import { fold } from '../../../language/words.ts';
import { findEmails, findPhones } from './read-contacts.ts';

/** Not counting particles such as `de la`. */
const MAX_WORDS = 4;
const MAX_CHARACTERS = 80;
const WORD = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
const PARTICLE = new RegExp(
  `^(?:${joinAlternatives(({ contactWords }) => contactWords?.nameParticles)})$`,
  'iu',
);
const TITLE = /^(?:\p{L}|dr|prof|mrs?|ms|st)\.$/iu;
const COURTESY = new RegExp(
  `^(?:(?:${joinAlternatives(({ contactWords }) => contactWords?.greetings)})(?![\\p{L}'])[\\s,.!]*)+`,
  'iu',
);

interface NameOptions {
  /** True if the visitor was asked for the name, so that the answer may be just the name. */
  readonly wasAsked: boolean;
}

/** Returns the visitor's own name as written in a message, or null. */
export function findName(words: string, { wasAsked }: NameOptions): string | null {
  const text = words.replace(/[‘’ʼ]/gu, "'");
  return (
    afterCue(text, nameCues.sure, () => true) ??
    afterCue(text, nameCues.likely, isCapitalised) ??
    afterCue(text, nameCues.unsure, (name) => isCapitalised(name) && (wasAsked || name.length > 1)) ??
    besideContact(text, wasAsked) ??
    (wasAsked ? bareAnswer(text) : null)
  );
}

function afterCue(text: string, cue: RegExp, accept: (name: readonly string[]) => boolean): string | null {
  for (const match of text.matchAll(cue)) {
    const name = leadingName(text.slice(match.index + match[0].length));
    if (name.length > 0 && accept(name)) return name.join(' ');
  }
  return null;
}

/** Returns the words of a name at the start of a text, up to punctuation or a word that is not part of a name. */
function leadingName(text: string): readonly string[] {
  const name: string[] = [];
  const isCapital = startsWithCapital(text);
  for (const token of text.slice(0, 2 * MAX_CHARACTERS).split(/\s+/u)) {
    const word = TITLE.test(token) ? token : token.replace(/(?:[.,;:!?)("…]|'(?!\p{L})).*/su, '');
    if (!isNameWord(word) || (isCapital && !startsWithCapital(word) && !PARTICLE.test(word))) break;
    name.push(word);
    if (word !== token || name.filter((part) => !PARTICLE.test(part)).length === MAX_WORDS) break;
  }
  while (PARTICLE.test(name.at(-1) ?? '')) name.pop();
  return name;
}

/** Finds a name at the start, before contact details: `Ann Smith, ann@example.com`. */
function besideContact(text: string, wasAsked: boolean): string | null {
  const contacts = [...findEmails(text), ...findPhones(text, wasAsked)].map(({ at }) => at);
  if (contacts.length === 0) return null;
  const before = text.slice(0, Math.min(...contacts)).replace(COURTESY, '');
  if (!/$(?<=[,;:/|\n–-][^\S\n]*(?:[("<][^\S\n]*)?)/u.test(before) && !wasAsked) return null;
  const name = wholeName(before);
  return name !== null && (wasAsked || isCapitalised(name.split(' '))) ? name : null;
}

function bareAnswer(text: string): string | null {
  if (/[?¿]/u.test(text)) return null;
  const contacts = [...findEmails(text), ...findPhones(text, true)];
  const rest = contacts.reduce((remaining, { text: found }) => remaining.replace(found, ' '), text);
  return wholeName(rest.replace(COURTESY, ''));
}

/** Returns the text if it is a name and nothing else, otherwise null. */
function wholeName(text: string): string | null {
  const words = text
    .replace(/^[\s,;:()"<>|/–-]+|(?<![\s,;:()"<>|/!–-])[\s,;:()"<>|/!–-]+$/gu, '')
    .replace(/(?<=\p{L}{2})\.$/u, '')
    .split(/\s+/u);
  const isName =
    words.filter((word) => !PARTICLE.test(word)).length <= MAX_WORDS &&
    words.every(isNameWord) &&
    words.some((word) => /\p{L}{2}|\p{Lo}/u.test(word) && !PARTICLE.test(word));
  return isName && words.join(' ').length <= MAX_CHARACTERS ? words.join(' ') : null;
}

function isNameWord(word: string): boolean {
  return WORD.test(word) && (PARTICLE.test(word) || !notNames.has(fold(word).replace(/\.$/u, '')));
}

/** Returns whether all words except particles start with a capital. */
function isCapitalised(name: readonly string[]): boolean {
  return name.every((word) => startsWithCapital(word) || PARTICLE.test(word)) && name.some(startsWithCapital);
}

function startsWithCapital(text: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(text);
}

/** Phrases before a name with which people introduce themselves. */
const nameCues = {
  /** A name follows in any spelling. */
  sure: new RegExp(
    `(?<!\\p{L})(?:${joinAlternatives(({ contactWords }) => contactWords?.nameCues?.sure)})\\s*`,
    'giu',
  ),
  /** Anything may follow: only capitalised words are a name. */
  likely: new RegExp(
    `(?<!\\p{L})(?:${joinAlternatives(({ contactWords }) => contactWords?.nameCues?.likely)})\\s+`,
    'giu',
  ),
  /** As `likely`, in a language that capitalises every noun: a single word is not enough. */
  unsure: new RegExp(
    `(?<!\\p{L})(?:${joinAlternatives(({ contactWords }) => contactWords?.nameCues?.unsure)})`,
    'giu',
  ),
} as const;

/** Words in answers to "what is your name?" that are no name; folded. */
const notNames = uniteWords(({ contactWords }) => contactWords?.notNames);
