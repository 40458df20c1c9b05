import type { DocsPage } from './library.ts';
import { Anchors, plainText } from './markdown-text.ts';

interface Section {
  readonly page: DocsPage;
  /** The heading of the section; null before the first heading below the title. */
  readonly heading: string | null;
  readonly anchor: string | null;
  readonly text: string;
  readonly words: {
    readonly title: readonly string[];
    readonly heading: readonly string[];
    readonly text: readonly string[];
  };
}

export interface SearchResult {
  readonly title: string;
  readonly heading: string | null;
  /** Below /docs. */
  readonly address: string;
  /** Pieces of the text around the first match, in order. */
  readonly snippet: readonly { readonly text: string; readonly match: boolean }[];
}

/** The opening of a page stands for the whole of it: its title weighs more than that of a section. */
const weights = { openingTitle: 20, title: 8, heading: 6, text: 1 };
/** A section that says a word ten times is not ten times as good. */
const maxUses = 5;
const maxResults = 20;
const snippetChars = 180;

/** Finds sections of the documentation by words of their title, heading and text. */
export class SearchIndex {
  readonly #sections: readonly Section[];

  constructor(pages: readonly DocsPage[]) {
    this.#sections = pages.flatMap(readSections);
  }

  /** The best sections first. Every word of more than one letter has to be in a section, whole or as a beginning. */
  find(query: string, limit = maxResults): readonly SearchResult[] {
    const terms = splitWords(query).filter(({ length }) => length > 1);
    if (terms.length === 0) return [];
    return this.#sections
      .map((section) => ({ section, score: scoreSection(section, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ section }) => toResult(section, terms));
  }
}

function readSections(page: DocsPage): readonly Section[] {
  const anchors = new Anchors();
  const parts: { heading: string | null; anchor: string | null; texts: string[] }[] = [];
  for (const node of page.tree.children) {
    if (node.type !== 'heading') {
      parts.at(-1)?.texts.push(plainText(node));
      continue;
    }
    const text = plainText(node);
    const anchor = anchors.next(text);
    parts.push({
      heading: node.depth === 1 ? null : text,
      anchor: node.depth === 1 ? null : anchor,
      texts: [],
    });
  }
  return parts.map(({ heading, anchor, texts }) => {
    const text = texts.join(' ').replaceAll(/\s+/g, ' ').trim();
    const words = {
      title: splitWords(page.title),
      heading: splitWords(heading ?? ''),
      text: splitWords(text),
    };
    return { page, heading, anchor, text, words };
  });
}

/** Small letters; `rate_limit_minute` is one word, so that codes and variables are found as they are written. */
function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** 0 unless every term is found. */
function scoreSection({ words, heading }: Section, terms: readonly string[]): number {
  const titleWeight = heading === null ? weights.openingTitle : weights.title;
  let score = 0;
  for (const term of terms) {
    const found =
      titleWeight * countUses(words.title, term) +
      weights.heading * countUses(words.heading, term) +
      weights.text * countUses(words.text, term);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

/** A whole word counts twice as much as the beginning of one. */
function countUses(words: readonly string[], term: string): number {
  const uses = words.reduce((sum, word) => sum + (word === term ? 1 : word.startsWith(term) ? 0.5 : 0), 0);
  return Math.min(uses, maxUses);
}

function toResult({ page, heading, anchor, text }: Section, terms: readonly string[]): SearchResult {
  return {
    title: page.title,
    heading,
    address: anchor === null ? page.path : `${page.path}#${anchor}`,
    snippet: cutSnippet(text, terms),
  };
}

function cutSnippet(text: string, terms: readonly string[]): SearchResult['snippet'] {
  const places = matchPlaces(text, terms);
  const first = places[0]?.start ?? 0;
  const from = first < snippetChars / 2 ? 0 : text.indexOf(' ', first - snippetChars / 2) + 1;
  const until = text.length <= from + snippetChars ? text.length : text.lastIndexOf(' ', from + snippetChars);
  const pieces: { text: string; match: boolean }[] = [];
  const add = (piece: string, match: boolean) => {
    if (piece !== '') pieces.push({ text: piece, match });
  };
  add(from > 0 ? '…' : '', false);
  let at = from;
  for (const { start, end } of places) {
    if (start < at || end > until) continue;
    add(text.slice(at, start), false);
    add(text.slice(start, end), true);
    at = end;
  }
  add(text.slice(at, until), false);
  add(until < text.length ? ' …' : '', false);
  return pieces;
}

function matchPlaces(text: string, terms: readonly string[]): readonly { start: number; end: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+/gu)].flatMap(({ 0: word, index }) => {
    const term = terms.find((each) => word.toLowerCase().startsWith(each));
    return term === undefined ? [] : [{ start: index, end: index + word.length }];
  });
}
