import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

/** Base64 characters per row: small enough that no single statement occupies the database for long. */
const MAX_PART_CHARACTERS = 1_000_000;

type Connection = Kysely<Tables> | Transaction<Tables>;

/** Identifies the uploaded bytes of one revision of a document. */
interface UploadKey {
  readonly documentNumber: number;
  readonly revision: number;
}

/** Stores the uploaded bytes in parts and deletes all earlier uploads of the document. */
export async function storeUpload(connection: Connection, key: UploadKey, bytes: Uint8Array): Promise<void> {
  await deleteUploads(connection, key.documentNumber);
  const text = Buffer.from(bytes).toString('base64');
  for (let start = 0, part = 0; start < text.length || part === 0; start += MAX_PART_CHARACTERS, part += 1) {
    await connection
      .insertInto('document_upload')
      .values({
        document_number: key.documentNumber,
        revision: key.revision,
        part,
        data: text.slice(start, start + MAX_PART_CHARACTERS),
      })
      .execute();
  }
}

/** Returns the uploaded bytes of a revision, or null if they do not exist or were already deleted. */
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
