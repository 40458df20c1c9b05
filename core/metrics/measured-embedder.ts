import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { Metrics } from './metrics.ts';

/** The same embedder, with the time of every call told to the metrics. */
export function measuredEmbedder(embedder: Embedder, metrics: Metrics): Embedder {
  const durations = metrics.durations({
    name: 'embedding_duration_seconds',
    help: 'How long embedding took: a question (0 where its vector was remembered), or a batch of passages.',
    labelNames: ['kind'],
  });
  const timed = async <Result>(kind: string, work: Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await work;
    durations.observe({ kind }, (performance.now() - startedAt) / 1_000);
    return result;
  };
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    engine: embedder.engine,
    embedQuery: (text) => timed('question', embedder.embedQuery(text)),
    embedPassages: (texts, options) => timed('passages', embedder.embedPassages(texts, options)),
    check: () => embedder.check(),
    close: () => embedder.close(),
  };
}
