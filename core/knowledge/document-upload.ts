import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** Base64 characters a row: small enough that no statement holds the database for long. */
const partLength = 1_000_000;

type Connection = Kysely<Tables> | Transaction<Tables>;

/** What was uploaded for one revision of a document. */
interface UploadKey {
  readonly documentNumber: number;
  readonly revision: number;
}

/** Replaces whatever was uploaded for the document before. */
export async function storeUpload(connection: Connection, key: UploadKey, bytes: Uint8Array): Promise<void> {
  await deleteUploads(connection, key.documentNumber);
  const text = Buffer.from(bytes).toString('base64');
  for (let start = 0, part = 0; start < text.length || part === 0; start += partLength, part += 1) {
    await connection
      .insertInto('document_upload')
      .values({
        document_number: key.documentNumber,
        revision: key.revision,
        part,
        data: text.slice(start, start + partLength),
      })
      .execute();
  }
}

/** Null when there is nothing (any more) for that revision. */
export async function loadUpload(connection: Connection, key: UploadKey): Promise<Uint8Array | null> {
  const rows = await connection
    .selectFrom('document_upload')
    .select('data')
    .where('document_number', '=', key.documentNumber)
    .where('revision', '=', key.revision)
    .orderBy('part')
    .execute();
  if (rows.length === 0) return null;
  return Buffer.from(rows.map((row) => row.data).join(''), 'base64');
}

export async function deleteUploads(connection: Connection, documentNumber: number): Promise<void> {
  await connection.deleteFrom('document_upload').where('document_number', '=', documentNumber).execute();
}
