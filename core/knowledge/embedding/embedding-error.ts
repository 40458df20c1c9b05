/** A text could not be embedded. `message` says what to do; `cause` is what the engine said. */
export class EmbeddingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddingError';
  }
}
