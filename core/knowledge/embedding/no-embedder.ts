import type { Embedder } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';

/** For a process that neither searches nor indexes: a model takes it longer to load than all the rest. */
export const noEmbedder: Embedder = {
  model: 'none',
  dimensions: 0,
  engine: 'none',
  embedQuery: refuse,
  embedPassages: refuse,
  check: refuse,
  async close() {},
};

async function refuse(): Promise<never> {
  throw new EmbeddingError(
    'This process was started without an embedding model: start a worker that has one.',
  );
}
