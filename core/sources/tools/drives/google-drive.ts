import { extname } from 'node:path';
import { z } from 'zod';
import type { GuardedResponse } from '../../../base/http-client.ts';
import { ItemError, SourceError } from '../../source-reader.ts';
import { maxFileBytes, refuseFile } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Content, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';
import { googleToken, parseKey } from './google-tokens.ts';

const idPattern = /^[\w-]{5,200}$/;

const settingsSchema = z.object({
  folder_id: z
    .string()
    .regex(idPattern, 'Give the id alone: the last part of the address of the folder.')
    .meta({
      description:
        'The last part of the address of the folder, or of the shared drive, in Google Drive. Folders inside are read too, and what shortcuts lead to.',
    }),
});

const credentialsSchema = z.object({
  service_account: z
    .string()
    .max(20_000)
    .refine((text) => parseKey(text) !== null, 'Give the whole JSON file of the key.')
    .meta({
      description:
        'The JSON file with the key of a service account: Google Cloud console > IAM and admin > Service accounts > Keys. Share the folder with its email address, as a viewer.',
      format: 'password',
    }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The files below a folder. https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
export const googleDriveKind = toolKind<Settings, Credentials>({
  kind: 'google_drive',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const account = parseKey(credentials.service_account);
    if (account === null)
      throw new SourceError('source_refused', 'The key of the service account is not valid.');
    const tokens = googleToken(account, tools);
    const sign = async () => ({ authorization: `Bearer ${await tokens.get()}` });
    const base = 'https://www.googleapis.com';
    const client = new ToolClient({ name: 'Google Drive', base, headers: {}, sign, isLimited }, tools);
    const folder = settings.folder_id;
    return {
      client,
      check: () => requireFolder(client, { folder, email: account.client_email }),
      collections: [defineCollection(files(client, folder), client)],
    };
  },
});

const google = 'application/vnd.google-apps.';
const office = 'application/vnd.openxmlformats-officedocument.';
const folderType = `${google}folder`;
const shortcutType = `${google}shortcut`;
/**
 * Media types for the export of Google's own files: all sheets, and slides with their notes. Google exports at most 10 MB;
 * if a file is larger, the next one, which has no pictures, is taken.
 */
const exports: ReadonlyMap<string, readonly string[]> = new Map([
  [`${google}document`, ['text/markdown', 'text/plain']],
  [`${google}spreadsheet`, [`${office}spreadsheetml.sheet`, 'text/csv']],
  [`${google}presentation`, [`${office}presentationml.presentation`, 'text/plain']],
]);

const fields = 'id,name,mimeType,modifiedTime,md5Checksum,size,webViewLink,trashed,shortcutDetails';
const fileSchema = z.object({
  ...{ id: z.string(), name: z.string(), mimeType: z.string(), modifiedTime: z.string() },
  ...{ md5Checksum: z.string().nullish(), size: z.string().nullish(), webViewLink: z.string().nullish() },
  trashed: z.boolean().nullish(),
  shortcutDetails: z.object({ targetId: z.string().nullish() }).nullish(),
});
type File = z.output<typeof fileSchema>;

const listSchema = z.object({
  files: z.array(fileSchema),
  nextPageToken: z.string().nullish(),
  incompleteSearch: z.boolean().nullish(),
});
/**
 * The folders that are left to list, next one last, and where the list of that one goes on. `linked` are folders that
 * shortcuts lead to: each is listed once, because shortcuts can lead in a circle.
 */
const cursorSchema = z.object({
  folders: z.array(z.object({ id: z.string(), depth: z.number() })),
  token: z.string().nullable(),
  linked: z.array(z.string()).default([]),
});

const MOST_DEPTH = 30;
const MOST_LINKED = 200;

function files(client: ToolClient, top: string): Collection<File> {
  return {
    name: '',
    async list(value) {
      const start = { folders: [{ id: top, depth: 0 }], token: null, linked: [] };
      const { folders, token, linked } = value === null ? start : cursorSchema.parse(value);
      const current = folders.at(-1);
      if (current === undefined) return { records: [], next: null };
      const found = await listFolder(client, current.id, token);
      const { records, inner, seen } = await sortFolder(client, found.files, {
        depth: current.depth + 1,
        linked: linked.length === 0 ? [top] : linked,
      });
      const more = found.nextPageToken ?? null;
      const goesOn = more !== null && more !== token;
      // The folder itself stays last, so that its token goes on to belong to it.
      const left = [...folders.slice(0, -1), ...inner, ...(goesOn ? [current] : [])];
      const next = { folders: left, token: goesOn ? more : null, linked: seen };
      return { records, next: left.length === 0 ? null : next };
    },
    describe(file) {
      const { id, name, mimeType, modifiedTime, md5Checksum, webViewLink: url } = file;
      const title = mimeType.startsWith(google) ? name : name.slice(0, name.length - extname(name).length);
      return { id, title, url, version: [modifiedTime, md5Checksum ?? '', name].join(' ') };
    },
    refuse,
    async find(id) {
      const query = { fields, supportsAllDrives: true };
      const file = await client.item(fileSchema, apiPath`/drive/v3/files/${id}`, { query });
      return file === null || file.trashed === true ? null : file;
    },
    async content(file) {
      const path = apiPath`/drive/v3/files/${file.id}`;
      const types = exports.get(file.mimeType);
      if (types !== undefined) return exportFile(client, `${path}/export`, types);
      const query = { alt: 'media', supportsAllDrives: true };
      const response = await client.bytes(path, { query, maxBytes: maxFileBytes });
      if (response === null) return null;
      return { bytes: response.bytes, contentType: file.mimeType, fileName: file.name };
    },
  };
}

interface Above {
  readonly depth: number;
  readonly linked: readonly string[];
}

/** Tells files from the folders that are listed next, and follows shortcuts. */
async function sortFolder(client: ToolClient, found: readonly File[], { depth, linked }: Above) {
  const seen = new Set(linked);
  const records: File[] = [];
  const inner: { id: string; depth: number }[] = [];
  for (const file of found) {
    const target = file.mimeType === shortcutType ? await findTarget(client, file) : file;
    const isFolder = target.mimeType === folderType && idPattern.test(target.id) && depth <= MOST_DEPTH;
    const isNew = target === file || (!seen.has(target.id) && seen.size <= MOST_LINKED);
    if (!isFolder) records.push(target);
    else if (isNew) inner.push({ id: target.id, depth });
    if (isFolder && target !== file) seen.add(target.id);
  }
  return { records, inner, seen: [...seen] };
}

async function listFolder(client: ToolClient, folder: string, token: string | null) {
  const { value } = await client.list(listSchema, '/drive/v3/files', {
    query: {
      q: `'${folder}' in parents and trashed = false`,
      fields: `nextPageToken,incompleteSearch,files(${fields})`,
      ...{ pageSize: 200, orderBy: 'createdTime', pageToken: token ?? undefined },
      ...{ supportsAllDrives: true, includeItemsFromAllDrives: true },
    },
  });
  if (value.incompleteSearch !== true) return value;
  const reason = 'Google Drive could not list the folder as a whole. The run goes on later.';
  throw new SourceError('incomplete_list', reason, { retryAfterMs: 300_000 });
}

/** Returns what a shortcut leads to; the shortcut itself if that is not shared. */
async function findTarget(client: ToolClient, file: File): Promise<File> {
  const id = file.shortcutDetails?.targetId ?? '';
  if (!idPattern.test(id)) return file;
  try {
    const query = { fields, supportsAllDrives: true };
    const target = await client.item(fileSchema, apiPath`/drive/v3/files/${id}`, { query });
    return target === null || target.trashed === true || target.mimeType === shortcutType ? file : target;
  } catch (error) {
    if (error instanceof ItemError && error.code === 'no_permission') return file;
    // The list would lack the file, which would look like its deletion.
    if (!(error instanceof ItemError)) throw error;
    throw new SourceError('tool_down', error.message, { cause: error, retryAfterMs: 300_000 });
  }
}

async function exportFile(
  client: ToolClient,
  path: string,
  [mimeType = '', ...others]: readonly string[],
): Promise<Content | null> {
  try {
    const response = await client.bytes(path, { query: { mimeType }, maxBytes: maxFileBytes });
    if (response === null) return null;
    const contentType = mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType;
    return { bytes: response.bytes, contentType };
  } catch (error) {
    const isTooLarge = error instanceof ItemError && /too large to be exported/i.test(error.message);
    if (!isTooLarge || others.length === 0) throw error;
    return exportFile(client, path, others);
  }
}

interface Top {
  readonly folder: string;
  readonly email: string;
}

/** The list of a folder that does not exist is empty, which would look like a deletion of everything. */
async function requireFolder(client: ToolClient, { folder, email }: Top): Promise<void> {
  const query = { fields, supportsAllDrives: true };
  try {
    const { value } = await client.list(fileSchema, apiPath`/drive/v3/files/${folder}`, { query });
    if (value.trashed !== true && value.mimeType === folderType) return;
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'source_missing') throw error;
    const hint = `Share the folder with ${email}, or correct its id.`;
    throw new SourceError('source_missing', `${error.message} ${hint}`, { cause: error });
  }
  throw new SourceError('source_missing', 'The id is not that of a folder, or the folder is in the bin.');
}

function refuse({ id, name, mimeType, size }: File): Refusal | null {
  if (!idPattern.test(id)) return { code: 'unusable_key', reason: 'The file has an unusual id.' };
  if (mimeType === folderType) return { code: 'too_deep', reason: `More than ${MOST_DEPTH} folders deep.` };
  if (mimeType === shortcutType) {
    const reason = 'The shortcut leads to a file that is not shared with the service account.';
    return { code: 'shortcut', reason };
  }
  if (exports.has(mimeType)) return null;
  if (mimeType.startsWith(google)) {
    return { code: 'unknown_format', reason: `Files of the type ${mimeType} cannot be read.` };
  }
  return refuseFile({
    name,
    contentType: mimeType,
    bytes: size === null || size === undefined ? null : Number(size),
  });
}

/** Drive answers 403 for its limits, too: https://developers.google.com/workspace/drive/api/guides/handle-errors */
function isLimited({ status }: GuardedResponse, words: () => string): boolean {
  return status === 403 && /rate limit|quota exceeded for/i.test(words());
}
