import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { FetchedFile } from '../../contract/facets.ts';
import type { Attachment } from '../../contract/inbound.ts';
import type { ReplyFile } from '../../contract/outbound.ts';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { UNSENT_FILE_RETENTION_MS } from '../../visitors/purge-visitors.ts';
import { baseFileName, isPlainText } from '../../visitors/visitor-files.ts';

/** Limits for files of agents. */
export const agentFileLimits = {
  bytes: 10 * 2 ** 20,
  ofReply: 5,
  bytesOfReply: 25 * 2 ** 20,
  /** Files that a person has uploaded in one conversation and not sent. */
  unsent: 20,
} as const;

/** A file that an agent uploaded. */
export interface AgentFile {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Absolute, or the path alone if the installation has no public address. */
  readonly url: string;
}

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
  readonly config: { readonly PUBLIC_URL?: string | undefined };
}

/** The files of one person in one conversation; `personId` is null for the operator. */
export interface FileOwner {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly personId: string | null;
}

const partBytes = 750_000;
const maxStemChars = 100;
const maxExtensionChars = 16;
const sampleBytes = 4_100;

/** Types that browsers draw without running anything. They are detected from the bytes alone. */
const inlineTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export function isInlineType(contentType: string): boolean {
  return inlineTypes.includes(contentType);
}

/**
 * Stores a file until its agent sends it. Throws `conversation_not_found`, `payload_too_large` and
 * `too_many_reply_files`.
 */
export async function storeAgentFile(
  { database, clock, config }: Stores,
  { workspaceId, conversationId, personId }: FileOwner,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<AgentFile> {
  if (bytes.byteLength > agentFileLimits.bytes) {
    throw new AppError('payload_too_large', { detail: 'The file is too large. The maximum is 10 MB.' });
  }
  const row = {
    id: newId('file'),
    workspace_id: workspaceId,
    conversation_id: conversationId,
    person_id: personId,
    name: sanitiseName(name),
    content_type: await detectContentType(bytes),
    size: bytes.byteLength,
    token: randomBytes(32).toString('base64url'),
    created_at: clock.now(),
  };
  await database.kysely.transaction().execute(async (transaction) => {
    await requireRoom(transaction, { workspaceId, conversationId, personId });
    await transaction.insertInto('agent_file').values(row).execute();
    for (let start = 0, part = 0; start < bytes.byteLength; start += partBytes, part += 1) {
      const piece = Buffer.from(bytes.subarray(start, start + partBytes));
      await transaction
        .insertInto('agent_file_part')
        .values({ file_id: row.id, part, bytes: piece })
        .execute();
    }
  });
  return toAgentFile(row, config.PUBLIC_URL);
}

/** Locks the conversation, so that concurrent uploads count each other. */
async function requireRoom(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, personId }: FileOwner,
): Promise<void> {
  const conversation = await transaction
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (conversation === undefined) throw new AppError('conversation_not_found');
  const { count } = await transaction
    .selectFrom('agent_file')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('conversation_id', '=', conversationId)
    .where('message_id', 'is', null)
    .where(sql<boolean>`person_id is not distinct from ${personId}`)
    .executeTakeFirstOrThrow();
  if (Number(count) < agentFileLimits.unsent) return;
  throw new AppError('too_many_reply_files', {
    detail: `${agentFileLimits.unsent} files wait in this conversation. Send or remove some.`,
  });
}

/** Detects the type from the bytes alone. Markup and what is unknown are plain bytes. */
async function detectContentType(bytes: Uint8Array): Promise<string> {
  // The import is lazy, to keep the server's start fast.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(bytes.subarray(0, sampleBytes));
  if (known !== undefined) return known.mime.includes('xml') ? 'application/octet-stream' : known.mime;
  return isPlainText(bytes) ? 'text/plain' : 'application/octet-stream';
}

/** Returns a file name without a path, invisible characters or excessive length; it keeps its extension. */
function sanitiseName(name: string): string {
  const clean = baseFileName(name).replaceAll(/^\.+/g, '');
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= maxExtensionChars ? clean.slice(dot) : '';
  const stem = extension === '' ? clean : clean.slice(0, dot);
  return `${Array.from(stem).slice(0, maxStemChars).join('').trim() || 'file'}${extension}`;
}

type Row = Pick<Selectable<Tables['agent_file']>, 'id' | 'name' | 'content_type' | 'size' | 'token'>;
const columns = ['id', 'name', 'content_type', 'size', 'token'] as const;

function toAgentFile({ id, name, content_type, size, token }: Row, publicUrl: string | undefined): AgentFile {
  const path = `/files/${token}/${encodeURIComponent(name)}`;
  return { id, name, contentType: content_type, bytes: size, url: `${publicUrl ?? ''}${path}` };
}

function unsentFiles(database: Kysely<Tables>, { workspaceId, conversationId, personId }: FileOwner) {
  return database
    .selectFrom('agent_file')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('message_id', 'is', null)
    .where(sql<boolean>`person_id is not distinct from ${personId}`);
}

/** Lists the files that a person has uploaded in a conversation and not sent, oldest first. */
export async function listUnsentFiles(
  { database, config }: Pick<Stores, 'database' | 'config'>,
  owner: FileOwner,
): Promise<readonly AgentFile[]> {
  const rows = await unsentFiles(database.kysely, owner).orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => toAgentFile(row, config.PUBLIC_URL));
}

/** Returns files that were not sent, in the order of `ids`. Throws `attachment_not_found`. */
export async function findUnsentFiles(
  stores: Pick<Stores, 'database' | 'config'>,
  owner: FileOwner,
  ids: readonly string[],
): Promise<readonly AgentFile[]> {
  if (ids.length === 0) return [];
  return inOrderOf(ids, await listUnsentFiles(stores, owner));
}

function inOrderOf<File extends { readonly id: string }>(
  ids: readonly string[],
  files: readonly File[],
): readonly File[] {
  return ids.map((id) => {
    const file = files.find((one) => one.id === id);
    if (file === undefined) throw new AppError('attachment_not_found');
    return file;
  });
}

/** Deletes a file that was not sent. Throws `attachment_not_found`. */
export async function deleteUnsentAgentFile(
  database: Kysely<Tables>,
  { workspaceId, conversationId, personId }: FileOwner,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('agent_file')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('message_id', 'is', null)
    .where(sql<boolean>`person_id is not distinct from ${personId}`)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('attachment_not_found');
}

/**
 * Locks the files that a reply sends and returns them in the order of `ids`. Throws `attachment_not_found` and
 * `too_many_reply_files`.
 */
export async function claimFiles(
  transaction: Transaction<Tables>,
  {
    owner,
    ids,
    publicUrl,
  }: {
    readonly owner: FileOwner;
    readonly ids: readonly string[];
    readonly publicUrl: string | undefined;
  },
): Promise<readonly AgentFile[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  if (wanted.length > agentFileLimits.ofReply) throw new AppError('too_many_reply_files');
  const rows = await unsentFiles(transaction, owner).where('id', 'in', wanted).forUpdate().execute();
  const files = inOrderOf(
    wanted,
    rows.map((row) => toAgentFile(row, publicUrl)),
  );
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > agentFileLimits.bytesOfReply) throw new AppError('too_many_reply_files');
  return files;
}

/**
 * Copies the files of a sent message, so that another message sends them. They keep their order. Throws
 * `attachment_not_found` if one is missing.
 */
export async function copyFiles(
  transaction: Transaction<Tables>,
  {
    owner: { workspaceId, conversationId, personId },
    messageId,
    ids,
    publicUrl,
    now,
  }: {
    readonly owner: FileOwner;
    readonly messageId: string;
    readonly ids: readonly string[];
    readonly publicUrl: string | undefined;
    readonly now: Date;
  },
): Promise<readonly AgentFile[]> {
  if (ids.length === 0) return [];
  const rows = await transaction
    .selectFrom('agent_file')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('id', 'in', ids)
    .execute();
  const copies: AgentFile[] = [];
  for (const row of inOrderOf(ids, rows)) {
    const copy = { ...row, id: newId('file'), token: randomBytes(32).toString('base64url') };
    const place = { workspace_id: workspaceId, conversation_id: conversationId, person_id: personId };
    await transaction
      .insertInto('agent_file')
      .values({ ...copy, ...place, created_at: now })
      .execute();
    await sql`
      insert into agent_file_part (file_id, part, bytes)
      select ${copy.id}, part, bytes from agent_file_part where file_id = ${row.id}
    `.execute(transaction);
    copies.push(toAgentFile(copy, publicUrl));
  }
  return copies;
}

/** Assigns files to the message that sends them. */
export async function markSent(
  transaction: Transaction<Tables>,
  {
    workspaceId,
    messageId,
    ids,
  }: {
    readonly workspaceId: string;
    readonly messageId: string;
    readonly ids: readonly string[];
  },
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('agent_file')
    .set({ message_id: messageId })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
}

/** Returns a file as an attachment of its message. */
export function toAttachment({ id, name, contentType, bytes, url }: AgentFile): Attachment {
  const [family = ''] = contentType.split('/', 1);
  const kind = family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
  return { kind, name, contentType, bytes, reference: id, url };
}

/** Returns the attachments of an agent's message as the files of its reply. */
export function toReplyFiles(attachments: readonly Attachment[]): readonly ReplyFile[] {
  return attachments.flatMap(({ name, contentType, bytes, url }) =>
    url === undefined
      ? []
      : [
          {
            name: name ?? 'file',
            contentType: contentType ?? 'application/octet-stream',
            byteCount: bytes ?? 0,
            url,
          },
        ],
  );
}

/** Returns a file of an agent's message; null if there is none. */
export async function findSentFile(
  database: Kysely<Tables>,
  {
    workspaceId,
    messageId,
    id,
  }: {
    readonly workspaceId: string;
    readonly messageId: string;
    readonly id: string;
  },
): Promise<FetchedFile | null> {
  const row = await database
    .selectFrom('agent_file')
    .select(['id', 'content_type'])
    .where('workspace_id', '=', workspaceId)
    .where('message_id', '=', messageId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { contentType: row.content_type, body: await readBytes(database, row.id) };
}

/** Returns the file with this token, in a workspace that was not deleted; null if there is none. */
export async function findFileByToken(
  database: Kysely<Tables>,
  token: string,
): Promise<(FetchedFile & { readonly name: string }) | null> {
  if (!/^[\w-]{43}$/.test(token)) return null;
  const row = await database
    .selectFrom('agent_file')
    .innerJoin('workspace', 'workspace.id', 'agent_file.workspace_id')
    .select(['agent_file.id', 'agent_file.name', 'agent_file.content_type'])
    .where('token', '=', token)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { name: row.name, contentType: row.content_type, body: await readBytes(database, row.id) };
}

/** Reads the file behind a link of this installation, whatever its host: the token alone decides. */
export async function readLinkedFile(database: Kysely<Tables>, url: string): Promise<FetchedFile | null> {
  const [, token = ''] = /\/files\/([\w-]{43})\//.exec(url) ?? [];
  return findFileByToken(database, token);
}

async function readBytes(database: Kysely<Tables>, id: string): Promise<Uint8Array> {
  const rows = await database
    .selectFrom('agent_file_part')
    .select('bytes')
    .where('file_id', '=', id)
    .orderBy('part')
    .execute();
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** Deletes files that agents uploaded a day ago but did not send. */
export async function purgeUnsentAgentFiles({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - UNSENT_FILE_RETENTION_MS);
  const { numAffectedRows } = await sql`
    delete from agent_file where id in (
      select id from agent_file
      where message_id is null and created_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
