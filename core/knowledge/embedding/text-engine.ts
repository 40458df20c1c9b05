/** A loaded model, inside the thread that runs it. */
export interface TextEngine {
  /** The unit-length vector of one text, in a buffer of its own; text beyond the model's window is ignored. */
  embed(text: string): Promise<Float32Array<ArrayBuffer>>;
}
