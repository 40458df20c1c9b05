import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../core/log.ts';
import { type CompressedBody, compressBody } from '../plugins/compression.ts';
import type { Bundle } from './bundle.ts';

/** The built browser app, ready to be sent. */
export interface ReadyBundle extends Omit<Bundle, 'files'> {
  readonly files: ReadonlyMap<string, CompressedBody>;
}

export interface BundleSources {
  hashInputs(): Promise<string>;
  bundleBrowserApp(): Promise<Bundle>;
}

interface CacheOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly sources: BundleSources;
}

const manifestSchema = z.object({
  scheme: z.string(),
  main: z.string(),
  preloads: z.array(z.string()),
  styles: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), hash: z.string() })),
});

/** Brotli 11 takes 4 seconds for 5 % less. */
const brotliQuality = 5;
const manifestFile = 'manifest.json';
const prefix = 'dashboard-';

/**
 * Returns the browser app from the folder of an earlier start, or builds it and stores it there. It is kept in memory only
 * if the folder cannot be written to.
 */
export async function loadBundle({ folder, log, sources }: CacheOptions): Promise<ReadyBundle> {
  const own = join(folder, `${prefix}${await sources.hashInputs()}`);
  const stored = await readStored(own);
  if (stored !== null) return stored;
  const built = await compress(await sources.bundleBrowserApp());
  try {
    await store(own, built);
    await removeOthers(folder, own);
  } catch (err) {
    log.warn({ err, folder }, 'dashboard bundle not stored');
  }
  return built;
}

async function compress({ files, ...names }: Bundle): Promise<ReadyBundle> {
  const bodies = await Promise.all(
    files.map(async ({ name, bytes }) => [name, await compressBody(bytes, { brotliQuality })] as const),
  );
  return { ...names, files: new Map(bodies) };
}

/** Returns null if the folder is missing or incomplete. */
async function readStored(folder: string): Promise<ReadyBundle | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'));
    const { files, ...names } = manifestSchema.parse(manifest);
    const bodies = await Promise.all(
      files.map(async ({ name, hash }) => {
        const path = join(folder, basename(name));
        const [plain, gzip, brotli] = await Promise.all([
          readFile(path),
          readFile(`${path}.gz`),
          readFile(`${path}.br`),
        ]);
        return [name, { plain, gzip, brotli, hash }] as const;
      }),
    );
    return { ...names, files: new Map(bodies) };
  } catch {
    return null;
  }
}

/** Writes to a folder beside `folder` and renames it, so that no other process reads half of it. */
async function store(folder: string, { files, ...names }: ReadyBundle): Promise<void> {
  const parent = join(folder, '..');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(parent, `.${basename(folder)}-`));
  try {
    for (const [name, { plain, gzip, brotli }] of files) {
      const path = join(draft, name);
      await Promise.all([
        writeFile(path, plain),
        writeFile(`${path}.gz`, gzip),
        writeFile(`${path}.br`, brotli),
      ]);
    }
    const listed = [...files].map(([name, { hash }]) => ({ name, hash }));
    await writeFile(join(draft, manifestFile), JSON.stringify({ ...names, files: listed }));
    // An incomplete folder would make the renaming fail for ever.
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function removeOthers(folder: string, own: string): Promise<void> {
  const names = await readdir(folder);
  const old = names.filter((name) => name.startsWith(prefix) && name !== basename(own));
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
