import type { LanguagePack } from './language-pack.ts';
import { languages } from './languages/index.ts';
import { NEVER } from './patterns.ts';

const packs = new Map(languages.map((language) => [language.code, language]));

/** Returns what the engine knows of a language (ISO 639-1); undefined if nothing. */
export function findLanguage(code: string): LanguagePack | undefined {
  return packs.get(code);
}

type Part<Value> = (language: LanguagePack) => Value | undefined;

/** Returns what the languages have of a part, in their order. */
export function listParts<Value>(part: Part<Value>): readonly Value[] {
  return languages.map(part).filter((value) => value !== undefined);
}

/** Joins the alternatives of all languages; without any, to what matches nothing. */
export function joinAlternatives(part: Part<string>): string {
  const found = listParts(part);
  return found.length === 0 ? NEVER.source : found.join('|');
}

/** Unites the words of all languages. */
export function uniteWords(part: Part<string>): ReadonlySet<string> {
  return new Set(listParts(part).flatMap((list) => list.trim().split(/\s+/u)));
}
