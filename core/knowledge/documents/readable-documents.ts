import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import { detectReliably } from '../../language/language.ts';
import { keysetPage } from '../../storage/keyset-page.ts';
import { anyOf } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { UNTITLED } from './documents.ts';

export interface ReadableDocument {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly updatedAt: Date;
}

interface SampleRequest {
  /** Null means all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
}

interface TopicRequest extends SampleRequest {
  /** ISO 639-1. Titles in this language come first. */
  readonly language: string;
}

const SAMPLE = 5;
const TOPICS = 3;
/** Enough to skip titles that are file names. */
const TITLES_READ = 40;
/** A title that reads well in a sentence: no file name, no address, no markup. */
const READABLE_TITLE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,'’&()+?!:–-]{2,59}$/u;

/** The indexed documents that a caller may read: those without audience tags and those that share a tag with them. */
export class ReadableDocuments {
  readonly #database: Kysely<Tables>;
  readonly #audience: readonly string[];

  constructor(database: Kysely<Tables>, audience: readonly string[]) {
    this.#database = database;
    this.#audience = audience;
  }

  /** Lists documents, most recently updated first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<ReadableDocument>> {
    const list = ['public documents', workspaceId, ...this.#audience].join(' ');
    const order = { list, latest: 'updated_at' } as const;
    const { items, nextCursor } = await keysetPage(this.#listed(workspaceId), order, page);
    return { items: items.map(presentDocument), nextCursor };
  }

  /** Returns a document with its indexed text as Markdown. Throws `document_not_found`. */
  async read(workspaceId: string, id: string): Promise<ReadableDocument & { readonly text: string }> {
    const row = await this.#visible(workspaceId).where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new AppError('document_not_found');
    return { ...presentDocument(row), text: await readIndexedText(this.#database, row) };
  }

  /** Returns the first passages of up to five documents, in any order. */
  async sample(workspaceId: string, { documentIds }: SampleRequest): Promise<readonly string[]> {
    const indexed = this.#listed(workspaceId).where('status', '=', 'indexed');
    const documents = await (documentIds === null ? indexed : indexed.where('id', '=', anyOf(documentIds)))
      .limit(SAMPLE)
      .execute();
    if (documents.length === 0) return [];
    const passages = await this.#database
      .selectFrom('chunk')
      .select('body')
      .where('ordinal', '=', 0)
      .where(({ or, and }) =>
        or(documents.map(({ number, revision }) => and({ document_number: number, revision }))),
      )
      .execute();
    return passages.map(({ body }) => body);
  }

  /** Returns the titles of up to three documents, least recently updated first. */
  async topics(workspaceId: string, { documentIds, language }: TopicRequest): Promise<readonly string[]> {
    const indexed = this.#listed(workspaceId).where('status', '=', 'indexed');
    const rows = await (documentIds === null ? indexed : indexed.where('id', '=', anyOf(documentIds)))
      .orderBy('updated_at')
      .orderBy('id')
      .limit(TITLES_READ)
      .execute();
    const titles = [...new Set(rows.map(({ title }) => title.trim()))].filter(
      (title) => READABLE_TITLE.test(title) && title !== UNTITLED,
    );
    const isForeign = (title: string) => detectReliably(title) !== language;
    return titles
      .toSorted((one, other) => Number(isForeign(one)) - Number(isForeign(other)))
      .slice(0, TOPICS);
  }

  /** Leaves out curated answers, which are no documents to a reader. */
  #listed(workspaceId: string) {
    return this.#visible(workspaceId).where(sql<boolean>`origin is distinct from 'curated'`);
  }

  /**
   * Checks the scope's tags too: until a document is indexed again, its old text keeps its old audience. Curated answers that
   * are past their date or have no text are left out.
   */
  #visible(workspaceId: string) {
    const isReadable = (tags: string) =>
      sql<boolean>`(${sql.ref(tags)} = '{}' or ${sql.ref(tags)} && ${[...this.#audience]}::text[])`;
    return this.#database
      .selectFrom('document')
      .select(['id', 'title', 'url', 'updated_at', 'number', 'revision'])
      .where('workspace_id', '=', workspaceId)
      .where('status', '<>', 'deleted')
      .where('revision', '>', 0)
      .where(isReadable('document.audience'))
      .where(
        sql<boolean>`not exists (
          select from curated_answer
          where curated_answer.id = document.id and (action <> 'answer' or valid_until <= now()))`,
      )
      .where(
        sql<boolean>`exists (select from scope where scope.id = document.scope_id and ${isReadable('scope.audience')})`,
      );
  }
}

interface VisibleRow {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly updated_at: Date;
}

function presentDocument({ id, title, url, updated_at: updatedAt }: VisibleRow): ReadableDocument {
  return { id, title, url, updatedAt };
}

interface IndexedDocument {
  readonly number: number;
  readonly title: string;
  readonly revision: number;
}

/** Returns the indexed text of a document as Markdown, with its title as the first heading. */
export async function readIndexedText(
  database: Kysely<Tables>,
  { number, title, revision }: IndexedDocument,
): Promise<string> {
  const passages = await database
    .selectFrom('chunk')
    .select(['headings', 'body'])
    .where('document_number', '=', number)
    .where('revision', '=', revision)
    .orderBy('ordinal')
    .execute();
  return renderMarkdown(title, passages);
}

export interface IndexedPassage {
  /** From 0. */
  readonly ordinal: number;
  readonly headings: readonly string[];
  readonly body: string;
}

const ordinalSchema = z.tuple([z.int()]);

/** Returns a page of the passages of a document, in their order. Throws `invalid_cursor`. */
export async function listPassages(
  database: Kysely<Tables>,
  { number, revision }: IndexedDocument,
  { limit, cursor }: PageRequest,
): Promise<Page<IndexedPassage>> {
  const list = `passages ${number} ${revision}`;
  const [after] = cursor === undefined ? [-1] : readCursor(list, cursor, ordinalSchema);
  const rows = await database
    .selectFrom('chunk')
    .select(['ordinal', 'headings', 'body'])
    .where('document_number', '=', number)
    .where('revision', '=', revision)
    .where('ordinal', '>', after)
    .orderBy('ordinal')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, ({ ordinal }) => writeCursor(list, [ordinal]));
}

interface Passage {
  readonly headings: readonly string[];
  readonly body: string;
}

/** Writes each heading once, above all of its passages. */
export function renderMarkdown(title: string, passages: readonly Passage[]): string {
  const parts = [`# ${title}`];
  let path: readonly string[] = [];
  for (const { headings, body } of passages) {
    const shared = headings.findIndex((heading, level) => heading !== path[level]);
    const added = shared === -1 ? [] : headings.slice(shared);
    parts.push(...added.map((heading, index) => `${'#'.repeat(Math.min(6, shared + index + 2))} ${heading}`));
    parts.push(body);
    path = headings;
  }
  return parts.join('\n\n');
}
