import { availableParallelism } from 'node:os';
import type { CountCalls } from '../../answering/models/circuit-breaker.ts';
import type { Logger } from '../../log.ts';
import { cacheQueries } from './cache-queries.ts';
import type { Embedder } from './embedder.ts';
import { openBuiltInEmbedder } from './open-built-in-embedder.ts';
import type { RemoteModel } from './open-remote-embedder.ts';

export interface OpenEmbedderOptions {
  /** `auto` takes ONNX Runtime where it can be loaded, WebAssembly elsewhere. */
  readonly engine?: 'auto' | 'onnx' | 'wasm';
  /** How many threads may embed passages at the same time; as many as there are processors when absent. */
  readonly threads?: number;
  /** A provider's model in place of the built-in one. */
  readonly remote?: RemoteModel | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Told of the calls of a provider's model. */
  readonly count?: CountCalls;
}

/**
 * Opens the embedder of this installation and loads its model. It keeps the process alive only while it works.
 * Throws a StartError when the model cannot be loaded.
 */
export async function openEmbedder(options: OpenEmbedderOptions): Promise<Embedder> {
  const { engine = 'auto', threads = availableParallelism(), remote = null, log, count } = options;
  if (remote !== null) {
    // Loaded here: without a provider its library costs nothing.
    const { openRemoteEmbedder } = await import('./open-remote-embedder.ts');
    return cacheQueries(await openRemoteEmbedder({ ...remote, log, count }));
  }
  const embedder =
    engine === 'auto' ? await openFastest(threads, log) : await openBuiltInEmbedder({ engine, threads, log });
  log.info({ model: embedder.model, engine: embedder.engine, threads }, 'The embedding model is loaded.');
  return cacheQueries(embedder);
}

async function openFastest(threads: number, log: OpenEmbedderOptions['log']): Promise<Embedder> {
  try {
    return await openBuiltInEmbedder({ engine: 'onnx', threads, log });
  } catch (error) {
    log.warn({ err: error }, 'ONNX Runtime cannot be used here: WebAssembly embeds instead, more slowly.');
    return openBuiltInEmbedder({ engine: 'wasm', threads, log });
  }
}
