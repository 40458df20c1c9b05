import { StartError } from '../../core/base/errors.ts';

type Bundler = Pick<typeof import('esbuild'), 'build' | 'transform'>;

let users = 0;

/**
 * Lends the bundler to `use`. It works in a process of its own, which would keep 200 MB for as long as this process runs: the
 * last user ends it.
 */
export async function useBundler<Result>(use: (bundler: Bundler) => Promise<Result>): Promise<Result> {
  // Imported on demand: a process that finds its browser files built needs no bundler.
  const bundler = await loadBundler();
  users += 1;
  try {
    return await use(bundler);
  } finally {
    users -= 1;
    if (users === 0) await bundler.stop();
  }
}

async function loadBundler(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild');
  } catch (error) {
    throw new StartError(
      'The files for browsers are not built, and the packages that build them are missing. Build them with: npm ci && npm run bundle && npm prune --omit=dev',
      error,
    );
  }
}
