import { LRUCache } from 'lru-cache';
import type { Embedder } from './embedder.ts';

/** 1.5 KB each with 384 dimensions. */
const REMEMBERED_QUERIES = 1000;

/** An embedder that remembers the vectors of its last queries: the same question is often asked again. */
export function cacheQueries(embedder: Embedder): Embedder {
  const cache = new LRUCache<string, Promise<Float32Array>>({ max: REMEMBERED_QUERIES });
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    engine: embedder.engine,
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    check: () => embedder.check(),
    close: () => embedder.close(),
    embedQuery(text) {
      const known = cache.get(text);
      if (known !== undefined) return known;
      const vector = embedder.embedQuery(text);
      cache.set(text, vector);
      vector.catch(() => cache.delete(text));
      return vector;
    },
  };
}
