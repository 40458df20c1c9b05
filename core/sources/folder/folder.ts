import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Json } from '../../contract/account.ts';
import { isListedDocument, unreadableReason } from '../../knowledge/loaders/declared-format.ts';
import { DEFAULT_LOADING_LIMITS } from '../../knowledge/loaders/loader.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  ItemError,
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
import { findPath, toKeyName } from './file-names.ts';

const settingsSchema = z.object({
  path: z.string().min(1).max(1_000).meta({
    description: 'The absolute path of the folder on the server, inside a folder that the operator allows.',
  }),
});

type FolderSettings = z.output<typeof settingsSchema>;

const unavailable =
  'This installation allows no folders. An operator can list some in SOURCE_FOLDERS and restart the server.';

/**
 * Files below a folder of the server. `allowed` are the folders that the operator lets workspaces read, and
 * `findFolders` returns those of one workspace.
 */
export function folderKind(
  allowed: readonly string[],
  findFolders: FindFolders = async () => allowed,
  readFolder: ReadFolder = readEntries,
): SourceKind<FolderSettings, Readonly<Record<string, never>>> {
  return {
    kind: 'folder',
    settings: settingsSchema,
    credentials: z.object({}),
    unavailable: allowed.length === 0 ? unavailable : undefined,
    open: ({ settings }, tools) => new FolderReader(settings.path, { findFolders, readFolder }, tools),
  };
}

/** Returns the folders that a workspace may read. */
export type FindFolders = (workspaceId: string) => Promise<readonly string[]>;

/** Returns what a folder holds, with the names as the disk has them. */
export type ReadFolder = (path: string | Buffer) => Promise<readonly Dirent<Buffer>[]>;

const readEntries: ReadFolder = (path) => readdir(path, { withFileTypes: true, encoding: 'buffer' });

export const MAX_DEPTH = 50;
const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

/** The folders that are still to be listed, relative to the root, next one last. */
const cursorSchema = z.array(z.string());

interface NamedEntry {
  readonly name: string;
  readonly entry: Dirent<Buffer>;
}

class FolderReader implements SourceReader {
  readonly isComplete = true;
  readonly #path: string;
  readonly #findAllowed: () => Promise<readonly string[]>;
  readonly #readFolder: ReadFolder;
  readonly #signal: AbortSignal;

  constructor(
    path: string,
    { findFolders, readFolder }: { readonly findFolders: FindFolders; readonly readFolder: ReadFolder },
    { workspaceId, signal }: Pick<SourceTools, 'workspaceId' | 'signal'>,
  ) {
    this.#path = path;
    this.#findAllowed = () => findFolders(workspaceId);
    this.#readFolder = readFolder;
    this.#signal = signal;
  }

  /** Lists one folder at a time. */
  async list(cursor: Json | null): Promise<ListedPage> {
    const root = await findAllowedFolder(this.#path, await this.#findAllowed());
    const pending = cursorSchema.parse(cursor ?? ['']);
    const folder = pending.at(-1) ?? '';
    const page = await this.#listFolder(root, folder);
    const left = [...pending.slice(0, -1), ...page.folders.reverse()];
    const { items, leftOut, isCut } = page;
    return { items, leftOut, isCut, next: left.length === 0 ? null : left };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const root = await findAllowedFolder(this.#path, await this.#findAllowed());
    try {
      const path = await realpath(await findPath(root, key), { encoding: 'buffer' });
      if (!isInside(path.toString(), root)) return leavesFolder;
      return await readFile(path, basename(key), this.#signal);
    } catch (error) {
      if (isMissing(error)) return { kind: 'gone' };
      if (error instanceof ItemError) throw error;
      this.#signal.throwIfAborted();
      throw new ItemError('unreadable_file', `The file cannot be read: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }

  async #listFolder(root: string, folder: string) {
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    const folders: string[] = [];
    const entries = await this.#entries(root, folder);
    if ('reason' in entries) return { items, leftOut: [entries], folders, isCut: true };
    for (const { name, entry } of entries) {
      this.#signal.throwIfAborted();
      if (isLeftOut(name)) continue;
      const key = folder === '' ? name : `${folder}/${name}`;
      if (entry.isDirectory()) {
        if (folder.split('/').length < MAX_DEPTH) folders.push(key);
        else leftOut.push({ key, code: 'too_deep', reason: `More than ${MAX_DEPTH} folders deep.` });
      } else if (entry.isSymbolicLink()) {
        leftOut.push({ key, code: 'symbolic_link', reason: 'Symbolic links are not followed.' });
      } else if (entry.isFile()) {
        const isDocument = isListedDocument(null, name);
        const version = isDocument ? await findVersion(await findPath(root, key)) : null;
        if (version !== null) items.push({ key, version });
        else leftOut.push({ key, ...unreadableReason(name) });
      }
    }
    return { items, leftOut, folders, isCut: false };
  }

  /** A folder inside that cannot be read costs its own files only. They do not count as missing. */
  async #entries(root: string, folder: string): Promise<readonly NamedEntry[] | SkippedItem> {
    try {
      const path = await realpath(await findPath(root, folder), { encoding: 'buffer' });
      const text = path.toString();
      if (text !== root && !isInside(text, root)) return [];
      const entries = await this.#readFolder(path);
      const named = entries.map((entry) => ({ name: toKeyName(entry.name), entry }));
      return named.sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      if (folder !== '' && isMissing(error)) return [];
      const reason = `A folder cannot be read: ${reasonOf(error)}.`;
      if (folder !== '') return { key: folder, code: 'folder_unreadable', reason };
      throw new SourceError('folder_unreadable', reason, {
        cause: error,
      });
    }
  }
}

/** Returns the folder without symbolic links in its path. Throws a SourceError if it is not allowed. */
export async function findAllowedFolder(folder: string, allowed: readonly string[]): Promise<string> {
  if (allowed.length === 0) throw new SourceError('folder_refused', unavailable);
  try {
    const root = await realpath(folder);
    const roots = await Promise.all(allowed.map((path) => realpath(path).catch(() => null)));
    if (roots.some((path) => path !== null && (path === root || isInside(root, path)))) return root;
  } catch (error) {
    // A path outside of the allowed folders is refused with the same text, so that it does not reveal whether it
    // exists.
    if (allowed.some((path) => isInside(join(folder), path))) {
      throw new SourceError('folder_missing', `The folder cannot be read: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }
  throw new SourceError(
    'folder_refused',
    'This folder is not inside one that the operator allows. Choose another, or ask them to add it to SOURCE_FOLDERS.',
  );
}

/** Hidden files, installed packages and the lock files of Word are not documents. */
export function isLeftOut(path: string): boolean {
  const name = basename(path);
  return name.startsWith('.') || name.startsWith('~$') || name === 'node_modules';
}

const leavesFolder: ReadResult = {
  kind: 'skipped',
  code: 'symbolic_link',
  reason: 'A symbolic link leads out of the folder.',
};

/** The time of the last change with the size. An empty text is a file that has vanished: reading it tells. */
async function findVersion(path: string | Buffer): Promise<string> {
  try {
    return await withFile(path, async ({ mtimeMs, size }) => `${mtimeMs}-${size}`);
  } catch {
    return '';
  }
}

async function readFile(path: Buffer, fileName: string, signal: AbortSignal): Promise<ReadResult> {
  return withFile(path, async ({ size, handle, isFile }) => {
    if (!isFile) return { kind: 'gone' };
    if (size > maxFileBytes) {
      throw new ItemError(
        'too_large',
        `The file is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB. Split it into smaller ones.`,
      );
    }
    const bytes = new Uint8Array(await handle.readFile({ signal }));
    return { kind: 'content', bytes, contentType: '', fileName };
  });
}

interface OpenFile {
  readonly handle: Awaited<ReturnType<typeof open>>;
  readonly mtimeMs: number;
  readonly size: number;
  readonly isFile: boolean;
}

/** Opens a file, but no symbolic link, and no pipe that would wait for a writer. */
async function withFile<Result>(
  path: string | Buffer,
  work: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    return await work({ handle, mtimeMs: stats.mtimeMs, size: stats.size, isFile: stats.isFile() });
  } finally {
    await handle.close();
  }
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code))
  );
}

/** The cause of a failed call, without the path: it may name folders of the server. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'ENOTDIR') return 'it is not a folder';
  return code === 'EACCES' || code === 'EPERM' ? 'the server has no permission' : `the disk reports ${code}`;
}

/** A folder of the server that the operator lets the workspaces of one owner read. */
export interface AllowedFolder {
  /** Null: the first owner of the installation, who is the operator themselves. */
  readonly ownerId: string | null;
  readonly path: string;
}

/** Returns the paths of the folders that a workspace may read. */
export async function findOwnerFolders(
  database: Kysely<Tables>,
  folders: readonly AllowedFolder[],
  workspaceId: string,
): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const first = await database
    .selectFrom('owner')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const workspace = await database
    .selectFrom('workspace')
    .select('owner_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (workspace === undefined) return [];
  return folders
    .filter(({ ownerId }) => (ownerId ?? first?.id) === workspace.owner_id)
    .map(({ path }) => path);
}
