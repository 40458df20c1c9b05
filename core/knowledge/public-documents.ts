import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { cutPage, type Page, type PageRequest, readCursor } from '../pagination.ts';
import type { Tables } from '../storage/tables.ts';

export interface PublicDocument {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly updatedAt: Date;
}

/** The documents of workspaces that are open to everybody: indexed, and without audience tags. */
export class PublicDocuments {
  readonly #database: Kysely<Tables>;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  /** Latest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<PublicDocument>> {
    const list = `public documents ${workspaceId}`;
    let query = this.#visible(workspaceId)
      .orderBy('document.updated_at', 'desc')
      .orderBy('document.id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) {
      const after = readCursor(list, page.cursor);
      query = query.where((is) =>
        is(is.refTuple('document.updated_at', 'document.id'), '<', is.tuple(after.at, after.id)),
      );
    }
    const rows = (await query.execute()).map(publicDocumentOf);
    return cutPage(rows, page.limit, { list, positionOf: (row) => ({ at: row.updatedAt, id: row.id }) });
  }

  /** The text as it is searched, as Markdown. Throws `document_not_found`. */
  async read(workspaceId: string, id: string): Promise<PublicDocument & { readonly text: string }> {
    const row = await this.#visible(workspaceId).where('document.id', '=', id).executeTakeFirst();
    if (row === undefined) throw new AppError('document_not_found');
    const passages = await this.#database
      .selectFrom('chunk')
      .select(['headings', 'body'])
      .where('document_number', '=', row.number)
      .where('revision', '=', row.revision)
      .orderBy('ordinal')
      .execute();
    const document = publicDocumentOf(row);
    return { ...document, text: markdownOf(document.title, passages) };
  }

  /** By the scope too: while a document waits to be indexed anew, its old text still belongs to its old audience. */
  #visible(workspaceId: string) {
    return this.#database
      .selectFrom('document')
      .innerJoin('scope', 'scope.id', 'document.scope_id')
      .select(['document.id', 'title', 'url', 'updated_at', 'number', 'revision'])
      .where('document.workspace_id', '=', workspaceId)
      .where('document.status', '<>', 'deleted')
      .where('document.revision', '>', 0)
      .where('document.audience', '=', sql<string[]>`'{}'::text[]`)
      .where('scope.audience', '=', sql<string[]>`'{}'::text[]`);
  }
}

interface VisibleRow {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly updated_at: Date;
}

function publicDocumentOf({ id, title, url, updated_at: updatedAt }: VisibleRow): PublicDocument {
  return { id, title, url, updatedAt };
}

interface Passage {
  readonly headings: readonly string[];
  readonly body: string;
}

/** Each heading stands once, above the passages that are under it. */
function markdownOf(title: string, passages: readonly Passage[]): string {
  const parts = [`# ${title}`];
  let path: readonly string[] = [];
  for (const { headings, body } of passages) {
    const shared = headings.findIndex((heading, level) => heading !== path[level]);
    const news = shared === -1 ? [] : headings.slice(shared);
    parts.push(...news.map((heading, index) => `${'#'.repeat(Math.min(6, shared + index + 2))} ${heading}`));
    parts.push(body);
    path = headings;
  }
  return parts.join('\n\n');
}
