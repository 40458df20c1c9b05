import type { PairReading, ReadingPair } from './thread-messages.ts';

export interface EmbedPassagesOptions {
  /** Cancels the call: remaining texts are dropped and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The mean cosines of a model, over the same questions and passages for all models. */
export interface CosineScale {
  /** The mean cosine of questions with the passages of other questions. */
  readonly unrelated: number;
  /** The mean cosine of questions with their own passages. */
  readonly related: number;
}

/** The properties of a model's vectors that a search depends on. */
export interface VectorSpace {
  /** The model's number in the database; 0 is the built-in one. */
  readonly id: number;
  /** Null if its cosines are compared as they are. */
  readonly scale: CosineScale | null;
  /** Whether the model reads other languages than English. */
  readonly isMultilingual: boolean;
}

/**
 * Reads questions together with passages and calls `onReading` with the index of each pair and its reading. Resolves
 * once all are read. It rejects as `embedPassages` does, after it has passed on the readings made so far.
 */
export type ReadPairs = (
  pairs: readonly ReadingPair[],
  onReading: (index: number, reading: PairReading) => void,
  options?: EmbedPassagesOptions,
) => Promise<void>;

/** The reader in the threads of the built-in model. */
export interface PairReader {
  readonly read: ReadPairs;
  /** Whether texts or pairs wait for a thread. */
  readonly isBusy: () => boolean;
}

/** Turns text into unit-length vectors. Implementations compute outside the event loop's thread. */
export interface Embedder {
  /** Stable name of model and weights. Vectors of models with different names are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** The kind of engine, for the operator's log. */
  readonly engine: 'onnx' | 'wasm' | 'remote' | 'none';
  /**
   * Embeds one question, ahead of waiting passages. The vector may be shared with other callers: do not write to it.
   * Rejects with an EmbeddingError, or with an AppError if the provider fails.
   */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * Embeds the passages of a document, in order, and retries while a provider is unavailable. Rejects as `embedQuery`
   * does, or with the reason of `signal`.
   */
  embedPassages(texts: readonly string[], options?: EmbedPassagesOptions): Promise<readonly Float32Array[]>;
  /**
   * Resolves if the embedder works. For a provider it sends no request and reports the state of the circuit breaker.
   * Rejects as `embedQuery` does.
   */
  check(): Promise<void>;
  /** Ends the engines. Waiting and later calls reject. */
  close(): Promise<void>;
  /** Absent: the engine has no reader. */
  readonly pairs?: PairReader | undefined;
  /** Measures the scale of a provider's model. Rejects as `embedQuery` does. */
  readonly measure?: (() => Promise<CosineScale>) | undefined;
  /** Null while the model was never reached, so that nothing can be indexed with it. Absent: `spaceOf` has the default. */
  readonly space?: VectorSpace | null;
  /** Returns the model with this number, null if it is not configured any more. Absent: there is no other model. */
  readonly findModel?: (id: number) => Promise<Embedder | null>;
  /**
   * Returns the model with this name (null: the installation's) once its vectors can be stored; null if it is not
   * configured. Absent: there is no other model.
   */
  readonly selectModel?: (name: string | null) => Promise<Embedder | null>;
}

/** Returns the space of a model. One without a number has its vectors where the built-in model has them. */
export function spaceOf({ space, engine }: Pick<Embedder, 'space' | 'engine'>): VectorSpace | null {
  return space === undefined ? { id: 0, scale: null, isMultilingual: engine === 'remote' } : space;
}

/** A text could not be embedded. `message` says what to do; `cause` is the engine's error. */
export class EmbeddingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddingError';
  }
}

/** For processes that neither search nor index: loading a model would take most of their start time. */
export const unavailableEmbedder: Embedder = {
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
    'This process runs without an embedding model. Start a worker that searches or indexes.',
  );
}
