/** What an embedding thread is started with. */
export interface ThreadSettings {
  readonly engine: 'onnx' | 'wasm';
  /** Threads of one run inside the engine; WebAssembly has one. */
  readonly threads: number;
  /** Whether everything else in the process goes first. */
  readonly background: boolean;
}

/** What the thread is given: its settings, and a flag in shared memory that it sets to IDLE after each piece of work. */
export interface ThreadData extends ThreadSettings {
  readonly activity: Int32Array<SharedArrayBuffer>;
}

export const BUSY = 1;
export const IDLE = 0;

/** What it is sent: one text at a time, or the wish that it end once the text at work is done. */
export type EmbeddingRequest = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'end' };

/** What it answers: that its model is loaded, then a vector for each text. */
export type EmbeddingReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'vector'; readonly vector: Float32Array<ArrayBuffer> };

/** A loaded model, inside the thread that runs it. */
export interface TextEngine {
  /** The unit-length vector of one text, in a buffer of its own; text beyond the model's window is ignored. */
  embed(text: string): Promise<Float32Array<ArrayBuffer>>;
}
