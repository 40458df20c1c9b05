import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import { toSourceKey } from '../knowledge/curated/curated-answer.ts';
import { refuseTaken, requireRoom } from '../knowledge/curated/curated-answers.ts';
import { readMarks, type StagedAnswers } from '../knowledge/curated/curated-marks.ts';
import { keepAnswer, loadAnswers, putBackAnswer } from '../knowledge/curated/kept-answer.ts';
import { insertAnswer, type NewCuratedAnswer, updateAnswer } from '../knowledge/curated/store-answers.ts';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { lockDocument } from '../knowledge/documents/document-revision.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Base, ChangeItem, ChangeView, CuratedChange, Kept } from './change-item.ts';
import type { ChangeDependencies, ChangeSet } from './change-set.ts';
import { diffText } from './diff-text.ts';

type Written = Exclude<CuratedChange, { kind: 'curated_removed' }>;

/** Returns the answer as its store takes it. */
function toAnswer(change: Written): NewCuratedAnswer {
  const { question, phrasings, action, answer, audience, valid_until } = change;
  const validUntil = valid_until === null ? null : new Date(valid_until);
  return { question, phrasings, action, answer, audience, validUntil };
}

/**
 * Returns the answer as it is now, for the item. Throws `curated_answer_not_found`, and `curated_answer_exists` if another
 * answer has the question and the audience.
 */
export async function requireStageable(
  transaction: Transaction<Tables>,
  workspaceId: string,
  change: CuratedChange,
): Promise<Base> {
  const id = change.answer_id;
  if (change.kind !== 'curated_removed') {
    const row = await transaction
      .selectFrom('document')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('source_key', '=', toSourceKey(change.question, change.audience))
      .executeTakeFirst();
    if (row !== undefined && row.id !== id) throw new AppError('curated_answer_exists');
  }
  return id === null ? {} : stateOf(transaction, workspaceId, id);
}

async function stateOf(transaction: Transaction<Tables>, workspaceId: string, id: string): Promise<Base> {
  await lockDocument(transaction, workspaceId, id);
  const answer = (await loadAnswers(transaction, { workspaceId, ids: [id] })).get(id);
  if (answer === undefined) throw new AppError('curated_answer_not_found');
  return { curated: { question: answer.question, changed_at: answer.updatedAt.toISOString() } };
}

interface Writing {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** Stores the answer of a change. Throws `curated_answer_exists`, `curated_answer_without_text` and `too_many_curated_answers`. */
export async function insertChange(
  transaction: Transaction<Tables>,
  writing: Writing,
  change: Written,
): Promise<DocumentRecord> {
  const document = await refuseTaken(insertAnswer(transaction, writing, toAnswer(change)));
  await requireRoom(transaction, writing.workspaceId);
  return document;
}

interface Published {
  readonly kept: Kept;
  readonly documentId: string;
  /** The document for which a worker is to be woken; null if nothing is to be indexed. */
  readonly document: DocumentRecord | null;
}

/** Makes a change of a curated answer. */
export async function publishCurated(
  { documents, clock }: Pick<ChangeDependencies, 'documents' | 'clock'>,
  transaction: Transaction<Tables>,
  { workspaceId, change, actor }: Omit<Writing, 'at'> & { readonly change: CuratedChange },
): Promise<Published> {
  const writing = { workspaceId, actor, at: clock.now() };
  if (change.kind === 'curated_written' && change.answer_id === null) {
    const document = await insertChange(transaction, writing, change);
    const published = await stateOf(transaction, workspaceId, document.id);
    return { kept: { published }, documentId: document.id, document };
  }
  const id = change.answer_id ?? '';
  const live = await lockDocument(transaction, workspaceId, id);
  if (live === null) throw new AppError('change_set_conflict', { detail: `The answer ${id} is gone.` });
  const curated = await keepAnswer(transaction, live);
  if (change.kind === 'curated_removed') {
    const removed = await documents.deleteWithin(transaction, { workspaceId, id }, { actor });
    return { kept: { curated, published: {} }, documentId: id, document: removed };
  }
  const changed = await refuseTaken(updateAnswer(transaction, { ...writing, id }, toAnswer(change)));
  const published = await stateOf(transaction, workspaceId, id);
  return {
    ...{ kept: { curated, published }, documentId: id },
    document: changed.status === 'queued' ? changed : null,
  };
}

/** Takes a published change back. Returns the document for which a worker is to be woken. */
export async function undoCurated(
  { documents, clock }: Pick<ChangeDependencies, 'documents' | 'clock'>,
  transaction: Transaction<Tables>,
  {
    workspaceId,
    item,
    actor,
  }: Omit<Writing, 'at'> & { readonly item: Pick<ChangeItem, 'documentId' | 'kept'> },
): Promise<DocumentRecord> {
  const id = item.documentId ?? '';
  const kept = item.kept?.curated;
  // A new one replaced nothing.
  if (kept === undefined) return documents.deleteWithin(transaction, { workspaceId, id }, { actor });
  const putBack = { workspaceId, id, kept, actor, at: clock.now() };
  return putBackAnswer(transaction, putBack).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'document_exists')) throw error;
    const detail = `Another answer was written meanwhile: ${kept.question}.`;
    throw new AppError('change_set_conflict', { detail, cause: error });
  });
}

/** Returns the marks of the staged answers of a set, by the ids that they have after publishing. */
export async function stagedMarks(
  database: Kysely<Tables>,
  { stagingId }: ChangeSet,
  items: readonly ChangeItem[],
): Promise<StagedAnswers> {
  if (stagingId === null) return new Map();
  const written = items.filter(({ change }) => change.kind === 'curated_written');
  const ids = written.flatMap(({ stagedDocumentId }) => stagedDocumentId ?? []);
  const marks = await readMarks(database, { workspaceId: stagingId, ids });
  return new Map(
    written.flatMap(({ documentId, stagedDocumentId }) => {
      if (stagedDocumentId === null) return [];
      return [[documentId ?? stagedDocumentId, marks.get(stagedDocumentId) ?? null] as const];
    }),
  );
}

interface Shown extends Pick<NewCuratedAnswer, 'question' | 'phrasings' | 'action' | 'answer' | 'audience'> {
  readonly validUntil: Date | null;
}

/** The answer as text, and the fields that differ. */
export async function viewCurated(
  database: Kysely<Tables>,
  workspaceId: string,
  { change, documentId, kept }: ChangeItem & { readonly change: CuratedChange },
): Promise<ChangeView> {
  const before = await readBefore(database, workspaceId, { documentId, kept });
  const after = change.kind === 'curated_removed' ? null : toAnswer(change);
  const fields = [
    { name: 'action', before: before?.action ?? null, after: after?.action ?? null },
    { name: 'audience', before: before?.audience ?? [], after: after?.audience ?? [] },
    {
      name: 'valid_until',
      before: before?.validUntil?.toISOString() ?? null,
      after: after?.validUntil?.toISOString() ?? null,
    },
  ];
  return {
    name: after?.question ?? before?.question ?? '',
    lines: diffText(toText(before), toText(after)),
    settings:
      after === null
        ? []
        : fields.filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after)),
  };
}

async function readBefore(
  database: Kysely<Tables>,
  workspaceId: string,
  { documentId, kept }: Pick<ChangeItem, 'documentId' | 'kept'>,
): Promise<Shown | null> {
  if (kept?.curated !== undefined) {
    const { document, valid_until, ...content } = kept.curated;
    return { ...content, audience: document.audience, validUntil: valid_until };
  }
  if (documentId === null || kept !== null) return null;
  return (await loadAnswers(database, { workspaceId, ids: [documentId] })).get(documentId) ?? null;
}

function toText(shown: Shown | null): string {
  if (shown === null) return '';
  return [shown.question, ...shown.phrasings, ...(shown.answer === null ? [] : ['', shown.answer])].join(
    '\n',
  );
}
