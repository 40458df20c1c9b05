import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';
import { openEmbedder } from '../../../../core/knowledge/embedding/open-embedder.ts';

let opened: Promise<Embedder> | null = null;

/** The embedder that an environment without settings of its own gets: opened once in a test process, never closed. */
export async function lendEmbedder(options: Parameters<typeof openEmbedder>[0]): Promise<Embedder> {
  if (options.remote || options.engine !== 'auto') return openEmbedder(options);
  opened ??= openEmbedder(options);
  return { ...(await opened), close: async () => {} };
}
