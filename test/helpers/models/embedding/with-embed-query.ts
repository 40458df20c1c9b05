import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';

/** The same embedder, but with another way to embed questions. */
export function withEmbedQuery(embedder: Embedder, embedQuery: Embedder['embedQuery']): Embedder {
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    engine: embedder.engine,
    ...(embedder.space !== undefined && { space: embedder.space }),
    embedQuery,
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    check: () => embedder.check(),
    close: () => embedder.close(),
  };
}
