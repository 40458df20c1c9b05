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

/** A message to the thread: a text (one at a time), or the request to end after the current text. */
export type EmbeddingRequest = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'end' };

/** A message from the thread: first `loaded`, then a vector for each text. */
export type EmbeddingReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'vector'; readonly vector: Float32Array<ArrayBuffer> };

/** A loaded model in the thread that runs it. */
export interface TextEngine {
  /** Returns the unit-length vector of one text in its own buffer. Text beyond the model's window is ignored. */
  embed(text: string): Promise<Float32Array<ArrayBuffer>>;
}
