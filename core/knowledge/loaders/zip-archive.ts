import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise } from 'yauzl';
import { DocumentError } from '../documents/document-error.ts';

interface UnpackOptions {
  readonly wanted: (name: string) => boolean;
  /** Limit for all wanted entries together. */
  readonly maxBytes: number;
}

/** A document with more entries than this is made to exhaust its reader. */
const MAX_ENTRIES = 20_000;

/** Returns the names of an archive's entries without unpacking any. Rejects with `corrupt_file` or `expands_too_far`. */
export async function listArchive(bytes: Uint8Array): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    const archive = await openArchive(bytes);
    if (archive.entryCount > MAX_ENTRIES) throw tooManyEntries();
    for await (const entry of archive.eachEntry()) names.push(entry.fileName);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError('corrupt_file', 'This ZIP-based file', { cause });
  }
  return names;
}

/**
 * Unpacks the wanted entries. Each declared size is added to the total before the entry is inflated, and an entry that
 * inflates to a different size is an error, so the limit holds for archives with false sizes too.
 * Rejects with `expands_too_far`, `encrypted_file` or `corrupt_file`.
 */
export async function unpackArchive(
  bytes: Uint8Array,
  { wanted, maxBytes }: UnpackOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  let declared = 0;
  try {
    const archive = await openArchive(bytes);
    if (archive.entryCount > MAX_ENTRIES) throw tooManyEntries();
    for await (const entry of archive.eachEntry()) {
      if (!wanted(entry.fileName)) continue;
      declared += entry.uncompressedSize;
      refuseUnreadable(entry, declared > maxBytes ? maxBytes : null);
      contents.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
    }
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError('corrupt_file', 'This ZIP-based file', { cause });
  }
  return contents;
}

function tooManyEntries(): DocumentError {
  return new DocumentError('expands_too_far', `${MAX_ENTRIES.toLocaleString('en')} files`);
}

function openArchive(bytes: Uint8Array): ReturnType<typeof fromBufferPromise> {
  const shared = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return fromBufferPromise(shared, { validateEntrySizes: true });
}

function refuseUnreadable(entry: Entry, limitPassed: number | null): void {
  if (limitPassed !== null)
    throw new DocumentError('expands_too_far', `${Math.round(limitPassed / 2 ** 20)} MB`);
  if (entry.isEncrypted()) throw new DocumentError('encrypted_file', 'This file');
}
