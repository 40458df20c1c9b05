import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { placeSchema } from '../../contract/answer.ts';
import { violatesConstraint } from '../../storage/sql-errors.ts';
import type { DocumentTable } from '../../storage/tables/knowledge-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type DocumentRecord, toDocumentRecord } from './document.ts';

/** Everything about a document that another content or a deletion removes. Its file is not kept after it is read: its passages are. */
export const keptDocumentSchema = z.object({
  title: z.string(),
  title_given: z.boolean(),
  url: z.string().nullable(),
  content_type: z.string().nullable(),
  file_name: z.string().nullable(),
  audience: z.array(z.string()),
  origin: z.string().nullable(),
  source_id: z.string().nullable(),
  source_key: z.string(),
  byte_count: z.int(),
  created_at: z.coerce.date(),
  passages: z.array(
    z.object({
      ordinal: z.int(),
      headings: z.array(z.string()),
      body: z.string(),
      place: placeSchema.nullable(),
    }),
  ),
});

export type KeptDocument = z.output<typeof keptDocumentSchema>;

/** Reads what is needed to put a document back. The caller has locked it. */
export async function keepDocument(
  transaction: Transaction<Tables>,
  { number, revision }: DocumentRecord,
): Promise<KeptDocument> {
  const row = await transaction
    .selectFrom('document')
    .selectAll()
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  const passages = await transaction
    .selectFrom('chunk')
    .select(['ordinal', 'headings', 'body', 'place'])
    .where('document_number', '=', number)
    .where('revision', '=', revision)
    .orderBy('ordinal')
    .execute();
  return keptDocumentSchema.parse({ ...row, passages });
}

interface PutBack {
  readonly workspaceId: string;
  readonly id: string;
  readonly kept: KeptDocument;
  readonly at: Date;
}

/**
 * Gives a document the content and the fields that it had. A deleted one comes back under its id. A worker indexes the
 * passages, and the caller wakes it after the commit. Throws `document_exists` if another document has its URL or file name
 * by now.
 */
export async function putBackDocument(
  transaction: Transaction<Tables>,
  { workspaceId, id, kept, at }: PutBack,
): Promise<DocumentRecord> {
  const row = await claimRow(transaction, { workspaceId, id, kept, at }).catch((error: unknown) => {
    throw violatesConstraint(error, 'document_workspace_id_source_key_key')
      ? new AppError('document_exists', { cause: error })
      : error;
  });
  await transaction.deleteFrom('document_upload').where('document_number', '=', row.number).execute();
  await transaction.deleteFrom('indexing_passage').where('document_number', '=', row.number).execute();
  await transaction.deleteFrom('indexing_lease').where('document_number', '=', row.number).execute();
  // A lease whose passages are known: the worker that takes it has nothing to read.
  await transaction
    .insertInto('indexing_lease')
    .values({
      document_number: row.number,
      workspace_id: workspaceId,
      revision: row.wanted_revision,
      holder: null,
      process_id: null,
      held_until: sql<Date>`clock_timestamp()`,
      attempts: 0,
      passages: kept.passages.length,
      title: null,
      url: null,
    })
    .execute();
  for (let start = 0; start < kept.passages.length; start += STORED_AT_ONCE) {
    const some = kept.passages.slice(start, start + STORED_AT_ONCE).map(({ place, ...passage }) => ({
      ...passage,
      document_number: row.number,
      place: place === null ? null : JSON.stringify(place),
    }));
    await transaction.insertInto('indexing_passage').values(some).execute();
  }
  return toDocumentRecord(row);
}

const STORED_AT_ONCE = 100;

async function claimRow(
  transaction: Transaction<Tables>,
  { workspaceId, id, kept, at }: PutBack,
): Promise<Selectable<DocumentTable>> {
  const { passages: _, created_at, ...fields } = kept;
  const state = {
    ...{ status: 'queued', progress: 0, failure_code: null, failure_reason: null, content_hash: null },
    ...{ updated_at: at, undo: null, restorable_until: null },
  } as const;
  const known = await transaction
    .updateTable('document')
    .set({
      ...fields,
      ...state,
      wanted_revision: sql<number>`wanted_revision + 1`,
      // One that was deleted has none that answers are drawn from.
      revision: sql<number>`greatest(revision, 0)`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (known !== undefined) return known;
  return transaction
    .insertInto('document')
    .values({
      ...fields,
      ...state,
      ...{ id, workspace_id: workspaceId, scope_id: null, wanted_revision: 1 },
      ...{ created_at, indexed_at: null },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
