import { fold } from '../../knowledge/fold.ts';
import { nameCues } from './name-cues.ts';
import { notNames } from './not-names.ts';
import { readEmails } from './read-emails.ts';
import { readPhones } from './read-phones.ts';

/** Without particles such as `de la`. */
const MOST_WORDS = 4;
const LONGEST = 80;
const WORD = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
const PARTICLE = /^(?:von|vom|van|de[nr]?|del|da|di|do|dos|du|la|le|el|al|bin|ibn|ter|ten)$/iu;
const TITLE = /^(?:\p{L}|dr|prof|mrs?|ms|st)\.$/iu;
const COURTESY =
  /^(?:(?:hi|hello|hey|hallo|hola|bonjour|sure|yes|ok(?:ay)?|ja|s[ií]|oui|it's|c'est|das ist|the name is)(?![\p{L}'])[\s,.!]*)+/iu;

interface NameOptions {
  /** Whether the name was asked for, so that an answer may be nothing but the name. */
  readonly wasAsked: boolean;
}

/** The name that the visitor gives himself, as he wrote it; null where he gives none. */
export function readName(words: string, { wasAsked }: NameOptions): string | null {
  const text = words.replace(/[‘’ʼ]/gu, "'");
  return (
    afterCue(text, nameCues.sure, () => true) ??
    afterCue(text, nameCues.likely, isWritten) ??
    afterCue(text, nameCues.unsure, (name) => isWritten(name) && (wasAsked || name.length > 1)) ??
    besideContact(text, wasAsked) ??
    (wasAsked ? asAnswer(text) : null)
  );
}

function afterCue(text: string, cue: RegExp, accept: (name: readonly string[]) => boolean): string | null {
  for (const match of text.matchAll(cue)) {
    const name = leadingName(text.slice(match.index + match[0].length));
    if (name.length > 0 && accept(name)) return name.join(' ');
  }
  return null;
}

/** The words of a name at the start of a text: up to a stop, or a word that is none of a name. */
function leadingName(text: string): readonly string[] {
  const name: string[] = [];
  const isCapital = startsWithCapital(text);
  for (const token of text.slice(0, 2 * LONGEST).split(/\s+/u)) {
    const word = TITLE.test(token) ? token : token.replace(/(?:[.,;:!?)("…]|'(?!\p{L})).*/su, '');
    if (!isNameWord(word) || (isCapital && !startsWithCapital(word) && !PARTICLE.test(word))) break;
    name.push(word);
    if (word !== token || name.filter((part) => !PARTICLE.test(part)).length === MOST_WORDS) break;
  }
  while (PARTICLE.test(name.at(-1) ?? '')) name.pop();
  return name;
}

/** `Ann Smith, ann@example.com`: a name at the start, then a way of contact. */
function besideContact(text: string, wasAsked: boolean): string | null {
  const contacts = [...readEmails(text), ...readPhones(text, wasAsked)].map(({ at }) => at);
  if (contacts.length === 0) return null;
  const before = text.slice(0, Math.min(...contacts)).replace(COURTESY, '');
  if (!/$(?<=[,;:/|\n–-][^\S\n]*(?:[("<][^\S\n]*)?)/u.test(before) && !wasAsked) return null;
  const name = wholeName(before);
  return name !== null && (wasAsked || isWritten(name.split(' '))) ? name : null;
}

function asAnswer(text: string): string | null {
  if (/[?¿]/u.test(text)) return null;
  const contacts = [...readEmails(text), ...readPhones(text, true)];
  const rest = contacts.reduce((kept, { text: found }) => kept.replace(found, ' '), text);
  return wholeName(rest.replace(COURTESY, ''));
}

/** A text that is a name and nothing else. */
function wholeName(text: string): string | null {
  const words = text
    .replace(/^[\s,;:()"<>|/–-]+|(?<![\s,;:()"<>|/!–-])[\s,;:()"<>|/!–-]+$/gu, '')
    .replace(/(?<=\p{L}{2})\.$/u, '')
    .split(/\s+/u);
  const isName =
    words.filter((word) => !PARTICLE.test(word)).length <= MOST_WORDS &&
    words.every(isNameWord) &&
    words.some((word) => /\p{L}{2}|\p{Lo}/u.test(word) && !PARTICLE.test(word));
  return isName && words.join(' ').length <= LONGEST ? words.join(' ') : null;
}

function isNameWord(word: string): boolean {
  return WORD.test(word) && (PARTICLE.test(word) || !notNames.has(fold(word).replace(/\.$/u, '')));
}

/** Whether it is written as names are: with capitals, but for particles. */
function isWritten(name: readonly string[]): boolean {
  return name.every((word) => startsWithCapital(word) || PARTICLE.test(word)) && name.some(startsWithCapital);
}

function startsWithCapital(text: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(text);
}
