import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables/tables.ts';
import { type DocumentRecord, toDocumentRecord } from '../documents/document.ts';
import { keepDocument, keptDocumentSchema, putBackDocument } from '../documents/kept-document.ts';
import { curatedActions, toQuestionKeys } from './curated-answer.ts';
import { type CuratedAnswer, toAnswer, type Writing } from './store-answers.ts';

/** Everything that a change or a deletion of a curated answer removes. */
export const keptAnswerSchema = z.object({
  document: keptDocumentSchema,
  question: z.string(),
  phrasings: z.array(z.string()),
  action: z.enum(curatedActions),
  answer: z.string().nullable(),
  valid_until: z.coerce.date().nullable(),
});
export type KeptAnswer = z.output<typeof keptAnswerSchema>;

/** Reads what is needed to put an answer back. The caller has locked its document. */
export async function keepAnswer(
  transaction: Transaction<Tables>,
  document: DocumentRecord,
): Promise<KeptAnswer> {
  const row = await transaction
    .selectFrom('curated_answer')
    .selectAll()
    .where('workspace_id', '=', document.workspaceId)
    .where('id', '=', document.id)
    .executeTakeFirstOrThrow();
  return keptAnswerSchema.parse({ ...row, document: await keepDocument(transaction, document) });
}

/**
 * Gives an answer the question, the text and the fields that it had. A deleted one comes back under its id. The caller wakes
 * a worker after the commit. Throws `document_exists` if another answer has its question and audience by now.
 */
export async function putBackAnswer(
  transaction: Transaction<Tables>,
  { workspaceId, actor, at, id, kept }: Writing & { readonly id: string; readonly kept: KeptAnswer },
): Promise<DocumentRecord> {
  const document = await putBackDocument(transaction, { workspaceId, id, kept: kept.document, at });
  const { document: _, ...content } = kept;
  const values = { ...content, keys: toQuestionKeys(kept), changed_by: actor.name, updated_at: at };
  await transaction
    .insertInto('curated_answer')
    .values({ ...values, id, workspace_id: workspaceId, created_at: kept.document.created_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
  return document;
}

interface Named {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

/** Returns answers that are not deleted, by their ids. Their hits are not counted. */
export async function loadAnswers(
  database: Kysely<Tables>,
  { workspaceId, ids }: Named,
): Promise<ReadonlyMap<string, CuratedAnswer>> {
  const wanted = [...ids, ''];
  const documents = await database
    .selectFrom('document')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', wanted)
    .where('status', '<>', 'deleted')
    .execute();
  const byId = new Map(documents.map((row) => [row.id, toDocumentRecord(row)]));
  const rows = await database
    .selectFrom('curated_answer')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', wanted)
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const document = byId.get(row.id);
      return document === undefined ? [] : [[row.id, toAnswer(row, document, 0)] as const];
    }),
  );
}
