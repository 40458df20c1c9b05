import type { Selectable, Transaction } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type DocumentRecord, toDocumentRecord } from '../documents/document.ts';
import {
  auditDocument,
  type DocumentSource,
  lockDocument,
  normaliseAudience,
  queueRevision,
} from '../documents/document-revision.ts';
import {
  CURATED_TYPE,
  type CuratedContent,
  curatedActions,
  toIndexedContent,
  toQuestionKeys,
  toSourceKey,
} from './curated-answer.ts';

export interface NewCuratedAnswer extends CuratedContent {
  /** Only visitors with one of these tags find it; empty: everybody. */
  readonly audience: readonly string[];
  /** From then on nothing finds it. Null: always valid. */
  readonly validUntil: Date | null;
}

/** Absent fields stay as they are. */
export type CuratedChanges = {
  readonly [Name in keyof NewCuratedAnswer]?: NewCuratedAnswer[Name] | undefined;
};

export interface CuratedAnswer extends NewCuratedAnswer {
  /** That of its document. */
  readonly id: string;
  readonly status: DocumentRecord['status'];
  /** Whether its newest text is in the index. */
  readonly isIndexed: boolean;
  readonly changedBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Answers of the last 30 days that rest on it, or that it withheld. */
  readonly hits: number;
}

type AnswerRow = Selectable<Tables['curated_answer']>;

/** The actor and the time of a change to the answers of a workspace. */
export interface Writing {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** Stores an answer with its document, which is to be indexed. Throws `curated_answer_without_text`. */
export async function insertAnswer(
  transaction: Transaction<Tables>,
  { workspaceId, actor, at }: Writing,
  wanted: NewCuratedAnswer,
): Promise<DocumentRecord> {
  requireText(wanted);
  const id = newId('cur');
  const row = await transaction
    .insertInto('document')
    .values({
      id,
      workspace_id: workspaceId,
      scope_id: null,
      source_key: toSourceKey(wanted.question, wanted.audience),
      title: wanted.question,
      title_given: true,
      ...{ url: null, content_type: null, file_name: null, failure_code: null, failure_reason: null },
      ...{ status: 'queued', wanted_revision: 0, content_hash: null, indexed_at: null },
      ...{ created_at: at, updated_at: at },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('curated_answer')
    .values({ id, workspace_id: workspaceId, ...toColumns(wanted, { actor, at }), created_at: at })
    .execute();
  const document = await queueRevision(transaction, toDocumentRecord(row), {
    source: toSource(wanted),
    now: at,
  });
  await auditDocument(transaction, document, { action: 'document_added', actor, at });
  return document;
}

/** Changes an answer and, unless only its date differs, the text of its document. Throws `curated_answer_not_found` and `curated_answer_without_text`. */
export async function updateAnswer(
  transaction: Transaction<Tables>,
  { workspaceId, id, actor, at }: Writing & { readonly id: string },
  changes: CuratedChanges,
): Promise<DocumentRecord> {
  const document = await lockDocument(transaction, workspaceId, id);
  const row = await transaction
    .selectFrom('curated_answer')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (document === null || row === undefined) throw new AppError('curated_answer_not_found');
  const before = toAnswer(row, document, 0);
  const wanted = applyChanges(before, changes);
  requireText(wanted);
  const fields = changedFields(before, wanted);
  if (fields.length === 0) return document;
  await transaction
    .updateTable('curated_answer')
    .set(toColumns(wanted, { actor, at }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  await auditDocument(transaction, document, { action: 'document_changed', actor, at, fields });
  if (fields.every((field) => field === 'valid_until')) return document;
  await transaction
    .updateTable('document')
    .set({ source_key: toSourceKey(wanted.question, wanted.audience) })
    .where('number', '=', document.number)
    .execute();
  return queueRevision(transaction, document, { source: toSource(wanted), now: at });
}

/** An answer that was written before another action was chosen is dropped. */
function storedText({ action, answer }: NewCuratedAnswer): string | null {
  return action === 'answer' ? answer : null;
}

function requireText({ action, answer }: NewCuratedAnswer): void {
  if (action === 'answer' && (answer ?? '').trim() === '') throw new AppError('curated_answer_without_text');
}

function toSource(wanted: NewCuratedAnswer): DocumentSource {
  const { question, audience } = wanted;
  const kind = { contentType: CURATED_TYPE, origin: 'curated' } as const;
  return {
    ...kind,
    title: question,
    audience,
    bytes: toIndexedContent({ ...wanted, answer: storedText(wanted) }),
  };
}

function toColumns(wanted: NewCuratedAnswer, { actor, at }: Omit<Writing, 'workspaceId'>) {
  return {
    question: wanted.question,
    phrasings: [...wanted.phrasings],
    keys: toQuestionKeys(wanted),
    action: wanted.action,
    answer: storedText(wanted),
    valid_until: wanted.validUntil,
    changed_by: actor.name,
    updated_at: at,
  };
}

const fieldNames = [
  ['question', 'question'],
  ['phrasings', 'phrasings'],
  ['action', 'action'],
  ['answer', 'answer'],
  ['audience', 'audience'],
  ['validUntil', 'valid_until'],
] as const;

function changedFields(before: NewCuratedAnswer, wanted: NewCuratedAnswer): readonly string[] {
  const normalise = (answer: NewCuratedAnswer) => ({
    ...answer,
    answer: storedText(answer),
    audience: normaliseAudience(answer.audience),
  });
  const [one, other] = [normalise(before), normalise(wanted)];
  return fieldNames
    .filter(([key]) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .map(([, name]) => name);
}

function applyChanges(before: NewCuratedAnswer, changes: CuratedChanges): NewCuratedAnswer {
  return {
    question: changes.question ?? before.question,
    phrasings: changes.phrasings ?? before.phrasings,
    action: changes.action ?? before.action,
    answer: changes.answer === undefined ? before.answer : changes.answer,
    audience: changes.audience ?? before.audience,
    validUntil: changes.validUntil === undefined ? before.validUntil : changes.validUntil,
  };
}

export function toAnswer(row: AnswerRow, document: DocumentRecord, hits: number): CuratedAnswer {
  return {
    id: row.id,
    question: row.question,
    phrasings: row.phrasings,
    action: curatedActions.find((action) => action === row.action) ?? 'answer',
    answer: row.answer,
    audience: document.audience,
    validUntil: row.valid_until,
    status: document.status,
    isIndexed: document.status === 'indexed' && document.revision === document.wantedRevision,
    changedBy: row.changed_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    hits,
  };
}
