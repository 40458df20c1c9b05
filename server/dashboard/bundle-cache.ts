import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../core/base/log.ts';
import {
  type BuiltFiles,
  readBuiltFiles,
  removeOtherVersions,
  shippedFolder,
  storeBuiltFiles,
} from '../pages/built-files.ts';
import { type CompressedBody, compressBody } from '../plugins/compression.ts';
import { type Bundle, bundleBrowserApp, hashInputs } from './bundle.ts';

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
  readonly sources?: BundleSources;
  /** The folder of `npm run bundle`. */
  readonly shipped?: string;
}

const appSchema = z.object({
  main: z.string(),
  preloads: z.array(z.string()).readonly(),
  styles: z.array(z.string()).readonly(),
});
const namesSchema = appSchema.extend({ scheme: z.string(), entry: appSchema });

type Names = z.output<typeof namesSchema>;

/** Brotli 11 takes 4 seconds for 5 % less. */
const brotliQuality = 5;

const ownSources: BundleSources = { hashInputs, bundleBrowserApp };

/**
 * Returns the browser app that was built with the image or by an earlier start, or builds it and stores it in `folder`. It is
 * kept in memory only if the folder cannot be written to.
 */
export async function loadBundle({
  folder,
  log,
  sources = ownSources,
  shipped = shippedFolder,
}: CacheOptions): Promise<ReadyBundle> {
  const name = nameOf(await sources.hashInputs());
  const own = join(folder, name);
  const stored =
    (await readBuiltFiles(join(shipped, name), namesSchema)) ?? (await readBuiltFiles(own, namesSchema));
  if (stored !== null) return toReady(stored);
  const begun = performance.now();
  const built = await build(sources);
  log.info({ ms: Math.round(performance.now() - begun) }, 'dashboard bundle built');
  try {
    await storeBuiltFiles(own, built);
    await removeOtherVersions(own);
  } catch (err) {
    log.warn({ err, folder }, 'dashboard bundle not stored');
  }
  return toReady(built);
}

/** Builds the browser app into `folder`, where every user of the system may read it. */
export async function shipBundle(folder: string): Promise<void> {
  const own = join(folder, nameOf(await hashInputs()));
  await storeBuiltFiles(own, await build(ownSources), { mode: 0o755 });
  await removeOtherVersions(own);
}

function nameOf(hash: string): string {
  return `dashboard-${hash}`;
}

async function build(sources: BundleSources): Promise<BuiltFiles<Names>> {
  const { files, ...names } = await sources.bundleBrowserApp();
  const bodies = new Map<string, CompressedBody>();
  // One after the other: the process would keep the memory that 120 compressions at once take.
  for (const { name, bytes } of files) bodies.set(name, await compressBody(bytes, { brotliQuality }));
  return { names, files: bodies };
}

function toReady({ names, files }: BuiltFiles<Names>): ReadyBundle {
  return { ...names, files };
}
