/** Settings of an embedding thread. */
export interface ThreadSettings {
  readonly engine: 'onnx' | 'wasm';
  /** Threads per run inside the engine; WebAssembly always uses one. */
  readonly threads: number;
  /** True lowers the thread's priority below the rest of the process. */
  readonly background: boolean;
}

/** `workerData` of the thread: its settings, and a flag in shared memory that it sets to IDLE after each text. */
export interface ThreadData extends ThreadSettings {
  readonly activity: Int32Array<SharedArrayBuffer>;
}

export const BUSY = 1;
export const IDLE = 0;

/** A question and a passage that the reader reads together. */
export interface ReadingPair {
  readonly question: string;
  /** Title and headings of the passage. */
  readonly head: string;
  /** The passage's units in plain form. */
  readonly units: readonly string[];
}

/** The reader's result for a pair. */
export interface PairReading {
  /** How well the passage answers the question, as a logit. */
  readonly relevance: number;
  /** The probability that the answer begins or ends in each unit; their sum is 1. */
  readonly unitShares: readonly number[];
}

/** A unit of work: a text to embed or a pair to read. */
export type ThreadWork =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pair'; readonly pair: ReadingPair };

/** A message to the thread: a unit of work (one at a time), or the request to end after the current one. */
export type EmbeddingRequest = ThreadWork | { readonly kind: 'end' };

/** The result of a unit of work. A pair that cannot be read fails alone: the thread stays usable. */
export type ThreadResult =
  | { readonly kind: 'vector'; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly kind: 'reading'; readonly reading: PairReading }
  | { readonly kind: 'unread'; readonly reason: string };

/** A message from the thread: first `loaded`, then a result for each unit of work. */
export type EmbeddingReply = { readonly kind: 'loaded' } | ThreadResult;

/** A loaded model in the thread that runs it. */
export interface TextEngine {
  /** Returns the unit-length vector of one text in its own buffer. Text beyond the model's window is ignored. */
  embed(text: string): Promise<Float32Array<ArrayBuffer>>;
  /** Reads a pair. Absent: the engine has no reader. */
  readonly read?: (pair: ReadingPair) => Promise<PairReading>;
}
