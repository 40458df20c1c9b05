import { isUtf8 } from 'node:buffer';
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Clock, secondsUntil } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toStorableText } from '../base/text.ts';
import type { FetchedFile } from '../contract/facets.ts';
import type { Attachment } from '../contract/inbound.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Visitor } from './visitor.ts';

/** Limits for visitors' files. */
export const fileLimits = {
  bytes: 5 * 2 ** 20,
  ofMessage: 5,
  ofVisitorADay: 20,
  /** The total size of all files stored for a workspace's visitors. */
  bytesOfWorkspace: 2 ** 30,
} as const;

/** The accepted types with their file extensions. The first extension is appended to names that have none of them. */
const fileExtensions = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'log', 'md'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export const fileTypes = Object.keys(fileExtensions);

interface FileType {
  readonly contentType: string;
  /** The first extension is the default. */
  readonly extensions: readonly [string, ...string[]];
}

const sampleBytes = 4_100;
/** Rejects text that an application might open as HTML or as SVG with scripts. */
const markup = /^\s*</;
const controls = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Detects the type from the file's bytes alone; its name is ignored. Returns null for types that are not accepted. */
async function detectFileType(bytes: Uint8Array): Promise<FileType | null> {
  // The import is lazy, to keep the server's start fast.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(bytes.subarray(0, sampleBytes));
  const contentType = known === undefined ? (isPlainText(bytes) ? 'text/plain' : null) : known.mime;
  const found = Object.entries(fileExtensions).find(([type]) => type === contentType);
  return found === undefined ? null : { contentType: found[0], extensions: found[1] };
}

/** Whether bytes are text that no application would open as markup. */
export function isPlainText(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  const text = new TextDecoder().decode(bytes);
  return !controls.test(text) && !markup.test(text);
}

const maxNameChars = 120;

/**
 * Returns a safe file name: without a path, invisible or bidirectional control characters, and with an extension that
 * matches the content, because applications choose by extension how to open a file.
 */
function sanitiseFileName(name: string, { extensions: [usual, ...others] }: FileType): string {
  const clean = baseFileName(name);
  const [, stem = clean, extension = ''] = /^(.*)\.([^.]*)$/.exec(clean) ?? [];
  const isKnown = [usual, ...others].includes(extension.toLowerCase());
  const base = Array.from(isKnown ? stem : clean)
    .slice(0, maxNameChars)
    .join('');
  return `${base || 'file'}.${isKnown ? extension : usual}`;
}

/** Returns a file name without a path, invisible and bidirectional control characters. */
export function baseFileName(name: string): string {
  const bare = toStorableText(name).split(/[\\/]/).at(-1) ?? '';
  return bare.replaceAll(/\p{C}/gu, '').trim();
}

type Row = Pick<Selectable<Tables['visitor_file']>, 'id' | 'name' | 'content_type' | 'size'>;

/** Returns the file as an attachment of a message. */
function attachmentFromRow({ id, name, content_type: contentType, size }: Row): Attachment {
  const kind = contentType.startsWith('image/') ? 'image' : 'file';
  return { kind, name, contentType, bytes: size, reference: id };
}

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Stores a file until its visitor sends it; the file's id is the `reference`. Throws `unsupported_media_type`,
 * `rate_limit_day` and `too_many_files`.
 */
export async function storeFile(
  { database, clock }: Stores,
  visitor: Visitor,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<Attachment> {
  const type = await detectFileType(bytes);
  if (type === null) {
    throw new AppError('unsupported_media_type', {
      detail: 'Only images (PNG, JPEG, GIF, WebP), PDF and plain text files are accepted.',
    });
  }
  const row = {
    id: newId('file'),
    workspace_id: visitor.workspaceId,
    visitor_id: visitor.id,
    name: sanitiseFileName(name, type),
    content_type: type.contentType,
    size: bytes.byteLength,
    bytes: Buffer.from(bytes),
    created_at: clock.now(),
  };
  await database.kysely.transaction().execute(async (transaction) => {
    // The lock serialises uploads of a workspace, so that the counts below stay valid until the insert.
    await sql`select from workspace where id = ${visitor.workspaceId} for no key update`.execute(transaction);
    await requireQuota(transaction, visitor, { size: row.size, now: row.created_at });
    await transaction.insertInto('visitor_file').values(row).execute();
  });
  return attachmentFromRow(row);
}

async function requireQuota(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  { size, now }: { readonly size: number; readonly now: Date },
): Promise<void> {
  const { rows } = await sql<{ bytes: number; today: number; first: Date | null }>`
    select
      (select coalesce(sum(size), 0)::float8 from visitor_file where workspace_id = ${workspaceId}) as bytes,
      count(*)::int as today,
      min(created_at) as first
    from visitor_file
    where visitor_id = ${id} and workspace_id = ${workspaceId} and created_at > ${new Date(now.getTime() - dayMs)}
  `.execute(database);
  const [{ bytes, today, first } = { bytes: 0, today: 0, first: null }] = rows;
  if (today >= fileLimits.ofVisitorADay && first !== null) {
    throw new AppError('rate_limit_day', {
      detail: `A visitor can upload at most ${fileLimits.ofVisitorADay} files in 24 hours.`,
      retryAfterSeconds: secondsUntil(new Date(first.getTime() + dayMs), now),
    });
  }
  if (bytes + size > fileLimits.bytesOfWorkspace) throw new AppError('too_many_files');
}

/** Returns the files that the visitor is sending now, in the order of `ids`. Throws `attachment_not_found`. */
export async function findUnsentFiles(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  ids: readonly string[],
): Promise<readonly Attachment[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('visitor_file')
    .select(['id', 'name', 'content_type', 'size'])
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', id)
    .where('conversation_id', 'is', null)
    .where('id', 'in', ids)
    .execute();
  return [...new Set(ids)].map((wanted) => {
    const row = rows.find((one) => one.id === wanted);
    if (row === undefined) throw new AppError('attachment_not_found');
    return attachmentFromRow(row);
  });
}

/** Returns a file that the visitor is sending now. Throws `attachment_not_found`. */
export async function readUnsentFile(
  database: Kysely<Tables>,
  { id: visitorId, workspaceId }: Visitor,
  id: string,
): Promise<FetchedFile> {
  const row = await database
    .selectFrom('visitor_file')
    .select(['content_type', 'bytes'])
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('attachment_not_found');
  return { contentType: row.content_type, body: row.bytes };
}

/** Deletes a file that its visitor uploaded and then removed. Throws `attachment_not_found`. */
export async function deleteUnsentFile(
  database: Kysely<Tables>,
  { id: visitorId, workspaceId }: Visitor,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('visitor_file')
    .where('id', '=', toStorableText(id))
    .where('visitor_id', '=', visitorId)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('attachment_not_found');
}

interface FileLookup {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly id: string;
}

/** Returns a file that a visitor sent in the conversation; null if there is none. */
export async function findVisitorFile(
  database: Kysely<Tables>,
  { workspaceId, conversationId, id }: FileLookup,
): Promise<FetchedFile | null> {
  const row = await database
    .selectFrom('visitor_file')
    .select(['content_type', 'bytes'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { contentType: row.content_type, body: row.bytes };
}

/** The stored text of a message that contains only files, in widgets and in channels. */
export const filesOnlyText = '/file';
