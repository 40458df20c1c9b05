import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, OutputFile } from 'esbuild';
import { browserTargets } from '../pages/assets.ts';
import { hashSources, lockFile } from '../pages/built-files.ts';
import { useBundler } from '../pages/bundler.ts';

/** The files of the browser app as the page needs them. */
export interface Bundle {
  /** Sets the colour scheme before anything is drawn. */
  readonly scheme: string;
  /** The first module. */
  readonly main: string;
  /** The modules that the first one imports at once, for preloading. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  readonly files: readonly BundleFile[];
}

/** The result of the bundler. */
interface Built {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

interface BundleFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Where the files of the bundle are served. */
export const assetPath = '/dashboard/assets/';

export const sourceFolder = fileURLToPath(new URL('browser/', import.meta.url));
const otherInputs = [
  new URL('bundle.ts', import.meta.url),
  new URL('../pages/assets.ts', import.meta.url),
  lockFile,
];

/** Returns a hash of everything that the bundle is made from: the sources and the versions of the packages. */
export function hashInputs(): Promise<string> {
  return hashSources(sourceFolder, otherInputs);
}

export const browserAppOptions = {
  entryPoints: { main: join(sourceFolder, 'main.tsx'), scheme: join(sourceFolder, 'scheme.ts') },
  outdir: '/',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  write: false,
  metafile: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  jsx: 'automatic',
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]-[hash]',
  publicPath: assetPath,
  loader: { '.woff2': 'file' },
  target: browserTargets,
} as const satisfies BuildOptions;

/** Bundles the browser app, in a process of the bundler. Takes 1.3 to 10 seconds, depending on the machine's load. */
export async function bundleBrowserApp(): Promise<Bundle> {
  return toBundle(await useBundler(({ build }) => build(browserAppOptions)));
}

/** Returns the files of a build with the names by which the page finds them. */
export function toBundle({ outputFiles, metafile }: Built): Bundle {
  const files = outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    bytes: Buffer.from(contents),
  }));
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({
    ...output,
    name: basename(path),
  }));
  const named = (start: string, end: string) =>
    outputs.find(({ name }) => name.startsWith(start) && name.endsWith(end));
  const main = named('main-', '.js');
  return {
    scheme: named('scheme-', '.js')?.name ?? '',
    main: main?.name ?? '',
    preloads: (main?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path)),
    // Styles of areas that load later are linked as well: the bundler does not load them with their module.
    styles: outputs
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.css'))
      .sort((one, other) => Number(other.startsWith('main-')) - Number(one.startsWith('main-'))),
    files,
  };
}
