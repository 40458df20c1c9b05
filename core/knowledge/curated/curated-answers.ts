import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Page, PageRequest } from '../../base/pagination.ts';
import { keysetPage } from '../../storage/keyset-page.ts';
import { violatesConstraint } from '../../storage/sql-errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import { type DocumentRecord, toDocumentRecord } from '../documents/document.ts';
import type { WakeDocument } from '../indexing/ingest-jobs.ts';
import { toSourceKey } from './curated-answer.ts';
import { countHits } from './curated-hits.ts';
import {
  type CuratedAnswer,
  type CuratedChanges,
  insertAnswer,
  type NewCuratedAnswer,
  toAnswer,
  updateAnswer,
  type Writing,
} from './store-answers.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Wakes a worker after a text that needs indexing was stored. */
  readonly wake: WakeDocument;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

type Change = Omit<Writing, 'at'>;

/** More would make the list and its file unwieldy. */
const MAX_ANSWERS = 2_000;

/** The curated answers of a workspace: each is a document, which is indexed, found, cited and audited like any other. */
export class CuratedAnswers {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists answers, last changed first. Throws `invalid_cursor`. */
  async list(
    workspaceId: string,
    { search, ...page }: PageRequest & { readonly search?: string | undefined },
  ): Promise<Page<CuratedAnswer> & { readonly total: number }> {
    const { database } = this.#dependencies;
    let query = visible(database, workspaceId).selectAll('curated_answer');
    if (search !== undefined) {
      const text = sql`lower(concat_ws(E'\n', question, array_to_string(phrasings, E'\n'), answer))`;
      query = query.where(sql<boolean>`strpos(${text}, lower(${search})) > 0`);
    }
    const list = `curated answers ${workspaceId} ${search ?? ''}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'updated_at' }, page);
    const total = await countAnswers(database, workspaceId);
    return { items: await this.#toAnswers(items), nextCursor, total };
  }

  /** Throws `curated_answer_not_found`. */
  async get(workspaceId: string, id: string): Promise<CuratedAnswer> {
    const rows = await visible(this.#dependencies.database, workspaceId)
      .selectAll('curated_answer')
      .where('id', '=', id)
      .execute();
    const [answer] = await this.#toAnswers(rows);
    if (answer === undefined) throw new AppError('curated_answer_not_found');
    return answer;
  }

  /** All answers of a workspace, by question. */
  async all(workspaceId: string): Promise<readonly CuratedAnswer[]> {
    const rows = await visible(this.#dependencies.database, workspaceId)
      .selectAll('curated_answer')
      .orderBy('question')
      .orderBy('id')
      .execute();
    return this.#toAnswers(rows);
  }

  /** Throws `curated_answer_exists`, `curated_answer_without_text` and `too_many_curated_answers`. */
  async create(change: Change, wanted: NewCuratedAnswer): Promise<CuratedAnswer> {
    const stored = await this.#run(async (transaction, at) => {
      const document = await insertAnswer(transaction, { ...change, at }, wanted);
      await requireRoom(transaction, change.workspaceId);
      return document;
    });
    return this.get(change.workspaceId, stored.id);
  }

  /**
   * Changes the named fields. A new text is found once it is indexed; a new date or action counts at once. Throws
   * `curated_answer_not_found`, `curated_answer_exists` and `curated_answer_without_text`.
   */
  async change(change: Change & { readonly id: string }, fields: CuratedChanges): Promise<CuratedAnswer> {
    await this.#run((transaction, at) => updateAnswer(transaction, { ...change, at }, fields));
    return this.get(change.workspaceId, change.id);
  }

  /**
   * Stores answers together, or none: one with the question and audience of a stored answer replaces it. Throws
   * `too_many_curated_answers` and `curated_answer_without_text`.
   */
  async putAll(
    change: Change,
    answers: readonly NewCuratedAnswer[],
  ): Promise<{ readonly added: number; readonly changed: number }> {
    const { database, clock, wake } = this.#dependencies;
    const at = clock.now();
    const { documents, added } = await eventTransaction({ ...this.#dependencies, database }, (transaction) =>
      storeAll(transaction, { ...change, at }, answers),
    );
    for (const document of documents) if (document.status === 'queued') await wake(document);
    return { added, changed: documents.length - added };
  }

  async #run(
    work: (transaction: Transaction<Tables>, at: Date) => Promise<DocumentRecord>,
  ): Promise<DocumentRecord> {
    const { clock, wake } = this.#dependencies;
    const stored = await refuseTaken(
      eventTransaction(this.#dependencies, (transaction) => work(transaction, clock.now())),
    );
    if (stored.status === 'queued') await wake(stored);
    return stored;
  }

  async #toAnswers(rows: readonly Selectable<Tables['curated_answer']>[]): Promise<readonly CuratedAnswer[]> {
    if (rows.length === 0) return [];
    const { database, clock } = this.#dependencies;
    const ids = rows.map(({ id }) => id);
    const documents = await database.selectFrom('document').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(documents.map((row) => [row.id, toDocumentRecord(row)]));
    const workspaceId = rows[0]?.workspace_id ?? '';
    const hits = await countHits(database, { workspaceId, ids, now: clock.now() });
    return rows.flatMap((row) => {
      const document = byId.get(row.id);
      return document === undefined ? [] : [toAnswer(row, document, hits.get(row.id) ?? 0)];
    });
  }
}

/** Answers whose document is deleted stay until that can no longer be taken back. */
function visible(database: Kysely<Tables>, workspaceId: string) {
  return database
    .selectFrom('curated_answer')
    .where('workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`exists (
        select from document where document.id = curated_answer.id and document.status <> 'deleted')`,
    );
}

async function countAnswers(database: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { count } = await visible(database, workspaceId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Throws `curated_answer_exists` if the work stores a question and an audience that another answer has. */
export async function refuseTaken<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    const isTaken = violatesConstraint(error, 'document_workspace_id_source_key_key');
    throw isTaken ? new AppError('curated_answer_exists', { cause: error }) : error;
  });
}

/** Throws `too_many_curated_answers`. */
export async function requireRoom(database: Kysely<Tables>, workspaceId: string): Promise<void> {
  if ((await countAnswers(database, workspaceId)) > MAX_ANSWERS)
    throw new AppError('too_many_curated_answers');
}

async function storeAll(
  transaction: Transaction<Tables>,
  writing: Writing,
  answers: readonly NewCuratedAnswer[],
): Promise<{ readonly documents: readonly DocumentRecord[]; readonly added: number }> {
  const keys = answers.map(({ question, audience }) => toSourceKey(question, audience));
  const rows = await transaction
    .selectFrom('document')
    .select(['id', 'source_key'])
    .where('workspace_id', '=', writing.workspaceId)
    .where('source_key', 'in', keys)
    .execute();
  const ids = new Map(rows.map((row) => [row.source_key, row.id]));
  const documents: DocumentRecord[] = [];
  for (const [index, answer] of answers.entries()) {
    const id = ids.get(keys[index] ?? '');
    documents.push(
      id === undefined
        ? await insertAnswer(transaction, writing, answer)
        : await updateAnswer(transaction, { ...writing, id }, answer),
    );
  }
  await requireRoom(transaction, writing.workspaceId);
  return { documents, added: answers.length - ids.size };
}
