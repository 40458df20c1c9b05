export interface EmbedPassagesOptions {
  /** Stops the work: what has not been embedded is dropped and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns text into unit-length vectors. Implementations run off the event loop. */
export interface Embedder {
  /** Stable name of model and weights: vectors of different names are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** Which kind of engine does the work, for the operator's log. */
  readonly engine: 'onnx' | 'wasm' | 'remote' | 'none';
  /**
   * One question; goes before waiting passages. The vector may be shared with other callers: do not write to it.
   * Rejects with an EmbeddingError, or with an AppError where a provider does not answer.
   */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * Passages of a document, in order; a provider that is out of order is waited for. Rejects as `embedQuery` does, or with
   * the reason of `signal`.
   */
  embedPassages(texts: readonly string[], options?: EmbedPassagesOptions): Promise<readonly Float32Array[]>;
  /**
   * Resolves where it embeds. A provider is not asked for that, but what it did last is told. Rejects as `embedQuery`
   * does.
   */
  check(): Promise<void>;
  /** Ends the engines. What is still waiting rejects; further calls do too. */
  close(): Promise<void>;
}

/** A text could not be embedded. `message` says what to do; `cause` is what the engine said. */
export class EmbeddingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddingError';
  }
}

/** For a process that neither searches nor indexes: a model takes it longer to load than all the rest. */
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
    'This process was started without an embedding model: start a worker that has one.',
  );
}
