import { extname } from 'node:path';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { GuardedResponse } from '../../base/http-client.ts';
import type { Json } from '../../contract/account.ts';
import { isListedDocument } from '../../knowledge/loaders/declared-format.ts';
import { DEFAULT_LOADING_LIMITS } from '../../knowledge/loaders/loader.ts';
import {
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type ReadResult,
  type SkippedItem,
  SourceError,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import { apiPath, ToolClient } from './tool-client.ts';

const idPattern = /^[\w-]{5,200}$/;

const settingsSchema = z.object({
  folder_id: z
    .string()
    .regex(idPattern, 'Give the id alone: the last part of the address of the folder.')
    .meta({
      description:
        'The last part of the address of the folder, or of the shared drive, in Google Drive. Folders inside are read too.',
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
export const googleDriveKind: SourceKind<Settings, Credentials> = {
  kind: 'google_drive',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new GoogleDriveReader(values, tools),
};

const keySchema = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) });
type ServiceAccount = z.output<typeof keySchema>;

function parseKey(text: string): ServiceAccount | null {
  try {
    return keySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const google = 'application/vnd.google-apps.';
/** Media types for the export of Google's own files. A spreadsheet is exported with its first sheet alone. */
const exports: ReadonlyMap<string, string> = new Map([
  [`${google}document`, 'text/markdown'],
  [`${google}spreadsheet`, 'text/csv'],
  [`${google}presentation`, 'text/plain'],
]);

const fields = 'id,name,mimeType,modifiedTime,md5Checksum,size,webViewLink,trashed';
const fileSchema = z.object({
  ...{ id: z.string(), name: z.string(), mimeType: z.string(), modifiedTime: z.string() },
  ...{ md5Checksum: z.string().nullish(), size: z.string().nullish(), webViewLink: z.string().nullish() },
  trashed: z.boolean().nullish(),
});
type File = z.output<typeof fileSchema>;

const listSchema = z.object({
  files: z.array(fileSchema),
  nextPageToken: z.string().nullish(),
  incompleteSearch: z.boolean().nullish(),
});
/** The folders that are still to be listed, next one last, and the position in the list of that one. */
const cursorSchema = z.object({
  folders: z.array(z.object({ id: z.string(), depth: z.number() })),
  token: z.string().nullable(),
});

const MOST_DEPTH = 30;
const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

class GoogleDriveReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #folder: string;
  readonly #account: ServiceAccount;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const account = parseKey(credentials.service_account);
    if (account === null)
      throw new SourceError('source_refused', 'The key of the service account is not valid.');
    const tokens = new AccessTokens(account, tools);
    const sign = async () => ({ authorization: `Bearer ${await tokens.get()}` });
    const base = 'https://www.googleapis.com';
    this.#client = new ToolClient({ name: 'Google Drive', base, headers: {}, sign, isLimited }, tools);
    this.#folder = settings.folder_id;
    this.#account = account;
  }

  async list(value: Json | null): Promise<ListedPage> {
    if (value === null) await this.#requireFolder();
    const start = { folders: [{ id: this.#folder, depth: 0 }], token: null };
    const { folders, token } = value === null ? start : cursorSchema.parse(value);
    const current = folders.at(-1);
    if (current === undefined) return { items: [], next: null };
    const { value: found } = await this.#client.list(listSchema, '/drive/v3/files', {
      query: {
        q: `'${current.id}' in parents and trashed = false`,
        fields: `nextPageToken,incompleteSearch,files(${fields})`,
        ...{ pageSize: 200, orderBy: 'createdTime', pageToken: token ?? undefined },
        ...{ supportsAllDrives: true, includeItemsFromAllDrives: true },
      },
    });
    if (found.incompleteSearch === true) {
      const reason = 'Google Drive could not list the folder as a whole. The run goes on later.';
      throw new SourceError('incomplete_list', reason, { retryAfterMs: 300_000 });
    }
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    const inner: { id: string; depth: number }[] = [];
    for (const file of found.files) {
      const reason = reasonAgainst(file, current.depth);
      if (reason !== null) leftOut.push({ ...toItem(file), ...reason });
      else if (file.mimeType === `${google}folder`) inner.push({ id: file.id, depth: current.depth + 1 });
      else items.push(toItem(file));
    }
    const next = found.nextPageToken ?? null;
    const outer = folders.slice(0, -1);
    if (next !== null && next !== token) {
      // The folder itself stays last, so that its token still belongs to it.
      return { items, leftOut, next: { folders: [...outer, ...inner, current], token: next } };
    }
    const left = [...outer, ...inner];
    return { items, leftOut, next: left.length === 0 ? null : { folders: left, token: null } };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const path = apiPath`/drive/v3/files/${key}`;
    const shared = { supportsAllDrives: true };
    const file = await this.#client.item(fileSchema, path, { query: { fields, ...shared } });
    if (file === null || file.trashed === true) return { kind: 'gone' };
    const reason = reasonAgainst(file, 0);
    if (reason !== null) return { kind: 'skipped', ...reason };
    const mimeType = exports.get(file.mimeType);
    const response =
      mimeType === undefined
        ? await this.#client.bytes(path, { query: { alt: 'media', ...shared }, maxBytes: maxFileBytes })
        : await this.#client.bytes(`${path}/export`, { query: { mimeType }, maxBytes: maxFileBytes });
    if (response === null) return { kind: 'gone' };
    if (response.bytes.byteLength === 0)
      return { kind: 'skipped', code: 'empty', reason: 'The file is empty.' };
    const { title, url } = toItem(file);
    return {
      kind: 'content',
      bytes: response.bytes,
      contentType: mimeType === undefined ? file.mimeType : `${mimeType}; charset=utf-8`,
      ...(mimeType === undefined && { fileName: file.name }),
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
    };
  }

  /** The list of a folder that does not exist is empty, which would look like a deletion of everything. */
  async #requireFolder(): Promise<void> {
    const path = apiPath`/drive/v3/files/${this.#folder}`;
    const query = { fields, supportsAllDrives: true };
    try {
      const { value } = await this.#client.list(fileSchema, path, { query });
      if (value.trashed !== true && value.mimeType === `${google}folder`) return;
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'source_missing') throw error;
      const hint = `Share the folder with ${this.#account.client_email}, or correct its id.`;
      throw new SourceError('source_missing', `${error.message} ${hint}`, { cause: error });
    }
    throw new SourceError('source_missing', 'The id is not that of a folder, or the folder is in the bin.');
  }
}

function reasonAgainst(file: File, depth: number): { readonly code: string; readonly reason: string } | null {
  const { id, name, mimeType, size } = file;
  if (!idPattern.test(id)) return { code: 'unusable_key', reason: 'The file has an unusual id.' };
  if (mimeType === `${google}folder`) {
    const reason = `More than ${MOST_DEPTH} folders deep.`;
    return depth < MOST_DEPTH ? null : { code: 'too_deep', reason };
  }
  if (mimeType === `${google}shortcut`) return { code: 'shortcut', reason: 'Shortcuts are not followed.' };
  if (exports.has(mimeType)) return null;
  if (!isListedDocument(mimeType, name)) {
    return { code: 'unknown_format', reason: `Files of the type ${mimeType} cannot be read.` };
  }
  if (Number(size ?? 0) <= maxFileBytes) return null;
  return { code: 'too_large', reason: `The file is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB.` };
}

function toItem({ id, name, mimeType, modifiedTime, md5Checksum, webViewLink: url }: File): ListedItem {
  const title = mimeType.startsWith(google) ? name : name.slice(0, name.length - extname(name).length);
  return {
    key: id,
    ...(title !== '' && { title }),
    ...(url !== null && url !== undefined && { url }),
    version: [modifiedTime, md5Checksum ?? '', name].join(' '),
  };
}

/** Drive answers 403 for its limits, too: https://developers.google.com/workspace/drive/api/guides/handle-errors */
function isLimited({ status }: GuardedResponse, words: () => string): boolean {
  return status === 403 && /rate limit|quota exceeded for/i.test(words());
}

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** https://developers.google.com/identity/protocols/oauth2/service-account. The address in the key file is not used. */
class AccessTokens {
  readonly #account: ServiceAccount;
  readonly #client: ToolClient;
  readonly #now: () => Date;
  #token = '';
  #expiresAt = 0;

  constructor(account: ServiceAccount, tools: SourceTools) {
    const base = 'https://oauth2.googleapis.com';
    this.#client = new ToolClient({ name: 'Google', base, headers: {} }, tools);
    this.#account = account;
    this.#now = tools.now;
  }

  async get(): Promise<string> {
    const now = this.#now().getTime();
    if (now < this.#expiresAt) return this.#token;
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await this.#assertion(Math.floor(now / 1_000)),
    });
    const { value } = await this.#client.list(tokenSchema, '/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    this.#token = value.access_token;
    this.#expiresAt = now + Math.max(value.expires_in - 60, 0) * 1_000;
    return this.#token;
  }

  async #assertion(seconds: number): Promise<string> {
    const { client_email: email, private_key: pem } = this.#account;
    try {
      const key = await importPKCS8(pem, 'RS256');
      return await new SignJWT({ scope: 'https://www.googleapis.com/auth/drive.readonly' })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(email)
        .setAudience('https://oauth2.googleapis.com/token')
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 3_600)
        .sign(key);
    } catch (cause) {
      const reason =
        'The private key of the service account cannot be read. Create a new key and enter its file.';
      throw new SourceError('source_refused', reason, { cause });
    }
  }
}
