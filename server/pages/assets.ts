import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CompressedBody, compressBody } from '../plugins/compression.ts';
import {
  hashSources,
  lockFile,
  readBuiltFiles,
  removeOtherVersions,
  shippedFolder,
  storeBuiltFiles,
} from './built-files.ts';

/** A script or style as browsers receive it. */
export interface Asset {
  /** The file name, with a hash of the content. */
  readonly name: string;
  readonly contentType: string;
  readonly body: CompressedBody;
}

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** The oldest browsers that scripts and styles are built for. */
export const browserTargets = ['chrome109', 'firefox115', 'safari16.4'];

/** For assets whose name contains the hash of their content. */
export const foreverCaching = 'public, max-age=31536000, immutable';

export async function createAsset(
  name: string,
  extension: keyof typeof contentTypes,
  text: string,
): Promise<Asset> {
  const body = await compressBody(text);
  return { name: `${name}-${body.hash}.${extension}`, contentType: contentTypes[extension], body };
}

/** A field of `AssetSet.assets`. */
export const assetSchema = z.custom<Asset>((value) => value !== undefined);

/** Scripts and styles that are built together. */
export interface AssetSet<Assets extends Readonly<Record<string, Asset>>> {
  /** The start of the names of its folders. */
  readonly name: string;
  readonly assets: z.ZodType<Assets>;
  readonly sourceFolder: URL;
  /** The modules that build it. */
  readonly builders: readonly URL[];
  build(): Promise<Assets>;
}

/** Returns the assets that `npm run bundle` left in `shipped`, or builds them in memory. */
export async function loadAssetSet<Assets extends Readonly<Record<string, Asset>>>(
  set: AssetSet<Assets>,
  shipped = shippedFolder,
): Promise<Assets> {
  const stored = await readBuiltFiles(await folderOf(set, shipped), z.record(z.string(), z.string()));
  if (stored === null) return set.build();
  const roles = Object.entries(stored.names).map(([role, name]) => [role, toAsset(name, stored.files)]);
  return set.assets.parse(Object.fromEntries(roles));
}

/** Builds the assets into `shipped`, where every user of the system may read them. */
export async function shipAssetSet<Assets extends Readonly<Record<string, Asset>>>(
  set: AssetSet<Assets>,
  shipped: string,
): Promise<void> {
  const folder = await folderOf(set, shipped);
  const roles = Object.entries(await set.build());
  const names = Object.fromEntries(roles.map(([role, { name }]) => [role, name]));
  const files = new Map(roles.map(([, { name, body }]) => [name, body]));
  await storeBuiltFiles(folder, { names, files }, { mode: 0o755 });
  await removeOtherVersions(folder);
}

async function folderOf(
  { name, sourceFolder, builders }: Pick<AssetSet<never>, 'name' | 'sourceFolder' | 'builders'>,
  shipped: string,
): Promise<string> {
  const others = [...builders, new URL(import.meta.url), lockFile];
  return join(shipped, `${name}-${await hashSources(fileURLToPath(sourceFolder), others)}`);
}

function toAsset(name: string, files: ReadonlyMap<string, CompressedBody>): Asset | undefined {
  const body = files.get(name);
  const extension = extname(name) === '.css' ? 'css' : 'js';
  return body && { name, contentType: contentTypes[extension], body };
}
