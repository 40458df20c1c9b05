import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Page, PageRequest } from '../../base/pagination.ts';
import { keysetPage } from '../../storage/keyset-page.ts';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { factKinds, toDayNumber } from './fact.ts';

export const conflictKinds = [...factKinds, 'past'] as const;
export const conflictStatuses = ['open', 'dismissed', 'resolved'] as const;

type ConflictKind = (typeof conflictKinds)[number];
type ConflictStatus = (typeof conflictStatuses)[number];

/** A sentence of a document, with the value that another one contradicts. */
export interface ConflictSide {
  readonly documentId: string;
  readonly title: string;
  readonly url: string | null;
  /** When the document last changed. */
  readonly changedAt: Date;
  readonly chunkId: string;
  readonly text: string;
  /** In the form in which equal values are equal. */
  readonly value: string;
  /** The value as the text has it; empty if no single word tells it. */
  readonly mark: string;
}

export interface FactConflict {
  readonly id: string;
  readonly kind: ConflictKind;
  readonly status: ConflictStatus;
  readonly foundAt: Date;
  /** Two; one for `past`. */
  readonly sides: readonly ConflictSide[];
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface ConflictQuery extends PageRequest {
  readonly status: ConflictStatus;
  readonly kind?: ConflictKind | undefined;
}

/** The contradictions of a workspace, for the people who keep its documents. */
export class FactConflicts {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists contradictions and sentences that are out of date, latest found first. Throws `invalid_cursor`. */
  async list(workspaceId: string, { status, kind, ...page }: ConflictQuery): Promise<Page<FactConflict>> {
    let query = this.#visible(workspaceId).selectAll().where('status', '=', status);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    const list = ['fact conflicts', workspaceId, status, kind ?? ''].join(' ');
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'found_at' }, page);
    return { items: await this.#withDocuments(items), nextCursor };
  }

  /** Dismisses a contradiction, or opens a dismissed one again. A resolved one stays. Throws `fact_conflict_not_found`. */
  async change(workspaceId: string, id: string, status: 'open' | 'dismissed'): Promise<FactConflict> {
    await this.#dependencies.database
      .updateTable('fact_conflict')
      .set({ status })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '<>', 'resolved')
      .execute();
    const row = await this.#visible(workspaceId).selectAll().where('id', '=', id).executeTakeFirst();
    const [changed] = row === undefined ? [] : await this.#withDocuments([row]);
    if (changed === undefined) throw new AppError('fact_conflict_not_found');
    return changed;
  }

  /** Leaves out sentences whose last day is not over yet, and documents that are being deleted. */
  #visible(workspaceId: string) {
    const { database, clock } = this.#dependencies;
    return database
      .selectFrom('fact_conflict')
      .where('workspace_id', '=', workspaceId)
      .where(sql<boolean>`(last_day is null or last_day < ${toDayNumber(clock.now())}::int)`)
      .where(
        sql<boolean>`not exists (
          select from document where number in (document_number, other_document_number) and document.status = 'deleted')`,
      );
  }

  async #withDocuments(rows: readonly ConflictRow[]): Promise<readonly FactConflict[]> {
    const numbers = rows.flatMap((row) => [
      row.document_number,
      row.other_document_number ?? row.document_number,
    ]);
    if (numbers.length === 0) return [];
    const documents = await this.#dependencies.database
      .selectFrom('document')
      .select(['number', 'id', 'title', 'url', 'updated_at'])
      .where('number', 'in', [...new Set(numbers)])
      .execute();
    const byNumber = new Map(documents.map((document) => [document.number, document]));
    return rows.flatMap((row) => {
      const sides = sidesOf(row).flatMap(({ number, ...side }) => {
        const document = byNumber.get(number);
        if (document === undefined) return [];
        const { id: documentId, title, url, updated_at: changedAt } = document;
        return [{ ...side, documentId, title, url, changedAt }];
      });
      const kind = conflictKinds.find((each) => each === row.kind);
      const status = conflictStatuses.find((each) => each === row.status);
      if (kind === undefined || status === undefined || sides.length === 0) return [];
      return [{ id: row.id, kind, status, foundAt: row.found_at, sides }];
    });
  }
}

interface ConflictRow {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly found_at: Date;
  readonly document_number: number;
  readonly chunk_id: number;
  readonly sentence: string;
  readonly value: string;
  readonly mark: string;
  readonly other_document_number: number | null;
  readonly other_chunk_id: number | null;
  readonly other_sentence: string | null;
  readonly other_value: string | null;
  readonly other_mark: string | null;
}

function sidesOf(row: ConflictRow) {
  const first = {
    ...{ number: row.document_number, chunkId: String(row.chunk_id) },
    ...{ text: row.sentence, value: row.value, mark: row.mark },
  };
  if (row.other_document_number === null) return [first];
  const second = {
    ...{ number: row.other_document_number, chunkId: String(row.other_chunk_id ?? 0) },
    ...{ text: row.other_sentence ?? '', value: row.other_value ?? '', mark: row.other_mark ?? '' },
  };
  return [first, second];
}

/** A passage that is shown, and another one that contradicts it. */
export interface PassageConflict {
  readonly shown: ConflictSide;
  /** The other side with its whole passage. */
  readonly other: ConflictSide & { readonly body: string };
}

interface ShownPassages {
  readonly workspaceId: string;
  /** Audience tags of the visitor. */
  readonly audience: readonly string[];
  readonly chunkIds: readonly string[];
}

interface PassageConflictRow {
  readonly shown_document: string;
  readonly shown_title: string;
  readonly shown_url: string | null;
  readonly shown_changed: Date;
  readonly shown_chunk: number;
  readonly shown_text: string;
  readonly shown_value: string;
  readonly shown_mark: string;
  readonly document: string;
  readonly title: string;
  readonly url: string | null;
  readonly changed: Date;
  readonly chunk: number;
  readonly text: string;
  readonly value: string;
  readonly mark: string;
  readonly body: string;
}

const MAX_CONFLICTS = 5;

const findConflictRows = prepareStatement<PassageConflictRow>(
  `select mine.id as shown_document, mine.title as shown_title, mine.url as shown_url, mine.updated_at as shown_changed,
          pair.shown_chunk, pair.shown_text, pair.shown_value, pair.shown_mark,
          document.id as document, document.title, document.url, document.updated_at as changed,
          pair.chunk, pair.text, pair.value, pair.mark, chunk.body
   from (
     select chunk_id as shown_chunk, document_number as shown_number, sentence as shown_text, value as shown_value,
            mark as shown_mark, other_chunk_id as chunk, other_document_number as number, other_sentence as text,
            other_value as value, other_mark as mark, found_at, id
     from fact_conflict
     where workspace_id = $1 and status = 'open' and kind <> 'past' and chunk_id = any($2::int[])
     union all
     select other_chunk_id, other_document_number, other_sentence, other_value, other_mark, chunk_id, document_number,
            sentence, value, mark, found_at, id
     from fact_conflict
     where workspace_id = $1 and status = 'open' and kind <> 'past' and other_chunk_id = any($2::int[])
   ) pair
   join document on document.number = pair.number and document.workspace_id = $1 and document.status <> 'deleted'
   join document mine on mine.number = pair.shown_number and mine.workspace_id = $1
   join chunk on chunk.id = pair.chunk and chunk.document_number = document.number and chunk.revision = document.revision
   where (document.audience = '{}' or document.audience && $3::text[])
     and not exists (
       select from curated_answer
       where curated_answer.id = document.id and (action <> 'answer' or valid_until <= now())
     )
   order by pair.found_at desc, pair.id, pair.shown_chunk
   limit ${MAX_CONFLICTS}`,
);

/** Returns the open contradictions of passages that are shown to a visitor, with passages that they may read as well. */
export async function findConflictsOf(
  database: Kysely<Tables>,
  { workspaceId, audience, chunkIds }: ShownPassages,
): Promise<readonly PassageConflict[]> {
  const ids = chunkIds.map(Number).filter((id) => Number.isSafeInteger(id));
  if (ids.length === 0) return [];
  const rows = await findConflictRows(database, [workspaceId, ids, audience]);
  return rows.map((row) => ({
    shown: {
      ...{
        documentId: row.shown_document,
        title: row.shown_title,
        url: row.shown_url,
        changedAt: row.shown_changed,
      },
      ...{
        chunkId: String(row.shown_chunk),
        text: row.shown_text,
        value: row.shown_value,
        mark: row.shown_mark,
      },
    },
    other: {
      ...{ documentId: row.document, title: row.title, url: row.url, changedAt: row.changed, body: row.body },
      ...{ chunkId: String(row.chunk), text: row.text, value: row.value, mark: row.mark },
    },
  }));
}
