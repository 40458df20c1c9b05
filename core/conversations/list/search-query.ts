import { AppError } from '../../base/errors.ts';
import { type ConversationStatus, conversationStatuses } from '../../contract/conversation-values.ts';
import { isUnspaced } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';

/** A word, a phrase or a field that a conversation must have. */
export type SearchTerm =
  /** Words that one message or note contains, or that name the customer or a tag. */
  | { readonly kind: 'words'; readonly text: string }
  /** The same, exactly as written. */
  | { readonly kind: 'phrase'; readonly text: string }
  /** A part of the name, address or telephone number of the customer. */
  | { readonly kind: 'from'; readonly text: string }
  | { readonly kind: 'tag'; readonly text: string }
  | { readonly kind: 'channel'; readonly text: string }
  | { readonly kind: 'is'; readonly state: SearchState }
  /** Times in ISO 8601. `before` is about the first message, `after` about the latest. */
  | { readonly kind: 'before' | 'after'; readonly time: string }
  /** A value that the field cannot have. It finds nothing. `detail` says what to write instead. */
  | { readonly kind: 'invalid'; readonly detail: string };

const ownStates = ['unread', 'waiting', 'mine', 'unassigned'] as const;
export const searchStates = [...conversationStatuses, ...ownStates] as const;
export type SearchState = ConversationStatus | (typeof ownStates)[number];

/** At least one of `either` must hold, or must not if it is negated. */
export interface SearchClause {
  readonly either: readonly { readonly term: SearchTerm; readonly isNegated: boolean }[];
}

/** More would be a text that was pasted, and a long statement. */
const mostTerms = 40;

/**
 * Parses what an agent typed: all clauses must hold. `OR` joins the terms beside it, `-` negates a term, quotes keep words
 * together, and `from:`, `tag:`, `channel:`, `is:`, `before:` and `after:` look at one field. Other words before a colon are
 * plain words. Pure.
 */
export function parseSearch(typed: string): readonly SearchClause[] {
  const clauses: { term: SearchTerm; isNegated: boolean }[][] = [];
  let isJoined = false;
  const tokens = splitTokens(typed);
  if (tokens.length > mostTerms) {
    return [only({ kind: 'invalid', detail: `A search takes at most ${mostTerms} words. Leave some out.` })];
  }
  for (const token of tokens) {
    if (token === 'OR') {
      isJoined = clauses.length > 0;
      continue;
    }
    const isNegated = token.length > 1 && token.startsWith('-');
    const term = parseTerm(isNegated ? token.slice(1) : token);
    if (term === null) continue;
    const last = clauses.at(-1);
    if (isJoined && last !== undefined) last.push({ term, isNegated });
    else clauses.push([{ term, isNegated }]);
    isJoined = false;
  }
  return clauses.map((either) => ({ either }));
}

/** Splits at spaces outside of quotes. A quote without its end reaches to the end of the text. */
function splitTokens(typed: string): readonly string[] {
  const tokens: string[] = [];
  let token = '';
  let isQuoted = false;
  for (const character of typed.replaceAll(/[“”„]/g, '"')) {
    if (character === '"') isQuoted = !isQuoted;
    if (/\s/.test(character) && !isQuoted) {
      if (token !== '') tokens.push(token);
      token = '';
    } else {
      token += character;
    }
  }
  return token === '' ? tokens : [...tokens, token];
}

function parseTerm(token: string): SearchTerm | null {
  const colon = token.indexOf(':');
  const field = token.slice(0, Math.max(0, colon)).toLowerCase();
  const value = unquoted(token.slice(colon + 1));
  if (isField(field)) return value === '' ? null : fields[field](value);
  const text = unquoted(token);
  if (text === '') return null;
  return { kind: token.startsWith('"') ? 'phrase' : 'words', text };
}

function unquoted(text: string): string {
  return text.replaceAll('"', '').trim();
}

const fields = {
  from: (text) => ({ kind: 'from', text }),
  tag: (text) => ({ kind: 'tag', text }),
  channel: (text) => ({ kind: 'channel', text: text.toLowerCase() }),
  is: parseState,
  before: (text) => parseDay('before', text),
  after: (text) => parseDay('after', text),
} as const satisfies Record<string, (value: string) => SearchTerm>;

function isField(name: string): name is keyof typeof fields {
  return Object.hasOwn(fields, name);
}

function parseState(text: string): SearchTerm {
  const state = searchStates.find((name) => name === text.toLowerCase());
  if (state !== undefined) return { kind: 'is', state };
  return { kind: 'invalid', detail: `“is:” takes one of: ${searchStates.join(', ')}.` };
}

/** Days begin at midnight UTC, as those of the other filters do. */
function parseDay(kind: 'before' | 'after', text: string): SearchTerm {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time)) return { kind, time: new Date(time).toISOString() };
  return { kind: 'invalid', detail: `“${kind}:” takes a day such as 2026-03-31.` };
}

function only(term: SearchTerm): SearchClause {
  return { either: [{ term, isNegated: false }] };
}

/** Throws `invalid_q` if a field of the search cannot have its value. */
export function checkSearch(typed: string | undefined): void {
  for (const { either } of typed === undefined ? [] : parseSearch(typed)) {
    for (const { term } of either) {
      if (term.kind === 'invalid') throw new AppError('invalid_q', { detail: term.detail });
    }
  }
}

/** Returns the words that a passage is shown for: those that are not negated. Pure. */
export function soughtWords(clauses: readonly SearchClause[]): readonly string[] {
  return clauses.flatMap(({ either }) =>
    either.flatMap(({ term, isNegated }) =>
      !isNegated && (term.kind === 'words' || term.kind === 'phrase') ? [term.text] : [],
    ),
  );
}

/** Shorter words begin too many others. */
const shortestSimilar = 3;

/** Returns the folded word whose other forms match too; null for what is quoted, short, or not one word. Pure. */
export function similarWord(term: SearchTerm): string | null {
  if (term.kind !== 'words') return null;
  const folded = fold(term.text);
  const [word, ...others] = splitWords(folded);
  if (word !== folded || others.length > 0 || isUnspaced(word)) return null;
  return word.length < shortestSimilar ? null : word;
}

/** Returns the words of a search that may have been misspelt. Pure. */
export function openWords(clauses: readonly SearchClause[]): readonly string[] {
  return clauses.flatMap(({ either }) =>
    either.flatMap(({ term, isNegated }) =>
      !isNegated && term.kind === 'words' && similarWord(term) !== null ? [term.text] : [],
    ),
  );
}

/** Returns what an agent typed with other words in the place of some. Pure. */
export function replaceWords(typed: string, words: ReadonlyMap<string, string>): string {
  return splitTokens(typed)
    .map((token) => words.get(token) ?? token)
    .join(' ');
}
