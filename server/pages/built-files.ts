import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { CompressedBody } from '../plugins/compression.ts';

/** Files that browsers load, in every encoding, with the names by which pages find them. */
export interface BuiltFiles<Names> {
  readonly names: Names;
  readonly files: ReadonlyMap<string, CompressedBody>;
}

/** Where `npm run bundle` leaves its files: beside the packages, where only users who may change the code can write. */
export const shippedFolder = fileURLToPath(
  new URL('../../node_modules/.cache/parley-browser', import.meta.url),
);

/** The versions of all packages. */
export const lockFile = new URL('../../package-lock.json', import.meta.url);

const manifestFile = 'manifest.json';

/** Returns a hash of what files are built from: all files below `folder`, and `others`. */
export async function hashSources(folder: string, others: readonly URL[]): Promise<string> {
  const listed = await readdir(folder, { recursive: true, withFileTypes: true });
  const sources = listed.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [...sources.sort(), ...others.map((other) => fileURLToPath(other))]) {
    hash.update(`${basename(file)}\n`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns what `storeBuiltFiles` wrote, or null if the folder is missing or incomplete. */
export async function readBuiltFiles<Names>(
  folder: string,
  names: z.ZodType<Names>,
): Promise<BuiltFiles<Names> | null> {
  const manifestSchema = z.object({
    names,
    files: z.array(z.object({ name: z.string(), hash: z.string() })),
  });
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')));
    const bodies = await Promise.all(
      manifest.files.map(async ({ name, hash }) => {
        const path = join(folder, basename(name));
        const [plain, gzip, brotli] = await Promise.all([
          readFile(path),
          readFile(`${path}.gz`),
          readFile(`${path}.br`),
        ]);
        return [name, { plain, gzip, brotli, hash }] as const;
      }),
    );
    return { names: manifest.names, files: new Map(bodies) };
  } catch {
    return null;
  }
}

interface StoreOptions {
  /** Of the folder, and of its files as far as they are no programs. Defaults to its owner alone. */
  readonly mode?: number;
}

/** Writes to a folder beside `folder` and renames it, so that no other process reads half of it. */
export async function storeBuiltFiles<Names>(
  folder: string,
  { names, files }: BuiltFiles<Names>,
  { mode = 0o700 }: StoreOptions = {},
): Promise<void> {
  const parent = join(folder, '..');
  const fileMode = { mode: mode & 0o666 };
  await mkdir(parent, { recursive: true, mode });
  const draft = await mkdtemp(join(parent, `.${basename(folder)}-`));
  try {
    for (const [name, { plain, gzip, brotli }] of files) {
      const path = join(draft, name);
      await Promise.all([
        writeFile(path, plain, fileMode),
        writeFile(`${path}.gz`, gzip, fileMode),
        writeFile(`${path}.br`, brotli, fileMode),
      ]);
    }
    const listed = [...files].map(([name, { hash }]) => ({ name, hash }));
    await writeFile(join(draft, manifestFile), JSON.stringify({ names, files: listed }), fileMode);
    await chmod(draft, mode);
    // An incomplete folder would make the renaming fail for ever.
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what other versions left beside `folder`: folders whose names differ after the last hyphen only. */
export async function removeOtherVersions(folder: string): Promise<void> {
  const parent = join(folder, '..');
  const own = basename(folder);
  const prefix = own.slice(0, own.lastIndexOf('-') + 1);
  const names = await readdir(parent);
  const old = names.filter((name) => name.startsWith(prefix) && name !== own);
  await Promise.all(old.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
