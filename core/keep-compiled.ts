import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url));

/**
 * What this thread imports from here on is kept as it was compiled, types stripped, for the next process: among the
 * packages, where only those may write who may change the code itself. Where that folder is read-only nothing is kept.
 */
export function keepCompiled(): void {
  enableCompileCache(folder);
}
