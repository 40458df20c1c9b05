import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Page, readCursor, writeCursor } from '../base/pagination.ts';
import type { ListReader } from '../conversations/list/filters.ts';
import { openWords, parseSearch, replaceWords } from '../conversations/list/search-query.ts';
import { findCorrections } from '../conversations/list/search-words.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type InboxRow, type ListRequest, listInbox } from './list.ts';

/** A page of a search, and what was searched in the place of what was typed; null if that is the same. */
export interface FoundPage extends Page<InboxRow> {
  readonly searched: Searched | null;
}

export interface Searched {
  /** The text with the words that occur: it finds the same as a search of its own. */
  readonly q: string;
  /** The text that searches for what was typed only. */
  readonly only: string;
}

/** Where a search continues: in what has the words (`exact`), or in what has other forms of them. */
const positionSchema = z.object({
  q: z.string(),
  matches: z.enum(['exact', 'similar']),
  /** Null at the beginning. */
  cursor: z.string().nullable(),
});

type Position = z.output<typeof positionSchema>;

/**
 * Returns a page of an inbox. A search first returns what has its words; when that ends, what has other forms of them or
 * begins with them; and if there is neither, what has the nearest words that occur. Throws `invalid_cursor`.
 */
export async function searchInbox(
  database: Kysely<Tables>,
  reader: ListReader,
  request: ListRequest,
): Promise<FoundPage> {
  const { filters, page } = request;
  const { q } = filters;
  if (q === undefined || openWords(parseSearch(q)).length === 0) {
    return { ...(await listInbox(database, reader, request)), searched: null };
  }
  const search = new InboxSearch(database, reader, request);
  const at = page.cursor === undefined ? null : readCursor(search.name, page.cursor, positionSchema);
  const found = await search.read(at ?? { q, matches: 'exact', cursor: null });
  if (at !== null || found.items.length > 0) return { ...found, searched: describe(q, at?.q ?? q) };
  const words = await findCorrections(database, reader.workspaceId, openWords(parseSearch(q)));
  if (words.size === 0) return { ...found, searched: null };
  const corrected = replaceWords(q, words);
  const nearest = await search.read({ q: corrected, matches: 'exact', cursor: null });
  return nearest.items.length === 0
    ? { ...found, searched: null }
    : { ...nearest, searched: describe(q, corrected) };
}

/** Quotes keep a word as it is. */
function describe(typed: string, q: string): Searched | null {
  if (typed === q) return null;
  const words = openWords(parseSearch(typed)).filter((word) => !openWords(parseSearch(q)).includes(word));
  return { q, only: replaceWords(typed, new Map(words.map((word) => [word, `"${word}"`]))) };
}

/** One list in two halves, whose cursors continue where a page ended. */
class InboxSearch {
  readonly #database: Kysely<Tables>;
  readonly #reader: ListReader;
  readonly #request: ListRequest;
  /** Its cursors are valid in no other list. */
  readonly name: string;

  constructor(database: Kysely<Tables>, reader: ListReader, request: ListRequest) {
    this.#database = database;
    this.#reader = reader;
    this.#request = request;
    const { filters, sort } = request;
    this.name = `search ${JSON.stringify([reader.workspaceId, reader.personId, filters, sort])}`;
  }

  async read(at: Position): Promise<Page<InboxRow>> {
    const { limit } = this.#request.page;
    const first = await this.#readHalf(at, limit);
    if (at.matches === 'similar' || first.nextCursor !== null) return first;
    const left = limit - first.items.length;
    const second = await this.#readHalf({ q: at.q, matches: 'similar', cursor: null }, Math.max(1, left));
    if (left > 0) return { items: [...first.items, ...second.items], nextCursor: second.nextCursor };
    const next = { q: at.q, matches: 'similar', cursor: null } as const;
    return { ...first, nextCursor: second.items.length === 0 ? null : writeCursor(this.name, next) };
  }

  async #readHalf({ q, matches, cursor }: Position, limit: number): Promise<Page<InboxRow>> {
    const { filters, ...request } = this.#request;
    const found = await listInbox(
      this.#database,
      { ...this.#reader, matches },
      { ...request, filters: { ...filters, q }, page: { limit, ...(cursor !== null && { cursor }) } },
    );
    const next = found.nextCursor;
    return {
      items: found.items,
      nextCursor: next === null ? null : writeCursor(this.name, { q, matches, cursor: next }),
    };
  }
}
