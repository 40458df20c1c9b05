import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, OutputFile } from 'esbuild';
import { browserTargets } from '../pages/assets.ts';
import { hashSources, lockFile } from '../pages/built-files.ts';
import { useBundler } from '../pages/bundler.ts';

/** The files of one app as its page needs them. */
interface AppFiles {
  /** The first module. */
  readonly main: string;
  /** The modules that the first one imports at once, for preloading. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
}

/** The browser app, with the smaller one of the pages without a person. */
export interface Bundle extends AppFiles {
  /** Sets the colour scheme before anything is drawn. */
  readonly scheme: string;
  readonly entry: AppFiles;
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

const commonOptions = {
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

export const browserAppOptions = {
  ...commonOptions,
  entryPoints: { main: join(sourceFolder, 'main.tsx'), scheme: join(sourceFolder, 'scheme.ts') },
} as const satisfies BuildOptions;

/** A build of its own: together, both apps would share many small files, and each page would ask for all of them. */
export const entryAppOptions = {
  ...commonOptions,
  entryPoints: { entry: join(sourceFolder, 'entry.tsx') },
} as const satisfies BuildOptions;

/** Bundles the browser app, in a process of the bundler. Takes 1.3 to 10 seconds, depending on the machine's load. */
export async function bundleBrowserApp(): Promise<Bundle> {
  return useBundler(async ({ build }) =>
    toBundle({ main: await build(browserAppOptions), entry: await build(entryAppOptions) }),
  );
}

/** Returns the files of both builds with the names by which the pages find them. */
export function toBundle({ main, entry }: { readonly main: Built; readonly entry: Built }): Bundle {
  const outputs = [...main.outputFiles, ...entry.outputFiles];
  const files = new Map(outputs.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  return {
    scheme: listNames(main).find((name) => name.startsWith('scheme-')) ?? '',
    ...toApp(main, 'main-'),
    entry: toApp(entry, 'entry-'),
    files: [...files].map(([name, bytes]) => ({ name, bytes })),
  };
}

function listNames({ metafile }: Built): readonly string[] {
  return Object.keys(metafile.outputs).map((path) => basename(path));
}

/** `start` is how the name of the first module begins. */
function toApp({ metafile }: Built, start: string): AppFiles {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({
    ...output,
    name: basename(path),
  }));
  const main = outputs.find(({ name }) => name.startsWith(start) && name.endsWith('.js'));
  return {
    main: main?.name ?? '',
    preloads: (main?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path)),
    // Styles of areas that load later are linked as well: the bundler does not load them with their module.
    styles: outputs
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.css'))
      .toSorted((one, other) => Number(other.startsWith(start)) - Number(one.startsWith(start))),
  };
}
