/** The use of a vector: many models embed questions and passages in different forms. */
export type Purpose = 'query' | 'passage';

/** Returns the vectors of texts, in order. */
export type EmbedTexts = (texts: readonly string[], purpose: Purpose) => Promise<readonly Float32Array[]>;

/** An embedding model of a provider. */
export interface EmbeddingApi {
  /** The limits of one request. */
  readonly maxTexts: number;
  readonly maxCharacters: number;
  /** Sends one request. Throws errors of the connection and of the provider. */
  embed(texts: readonly string[], purpose: Purpose, signal: AbortSignal): Promise<readonly Float32Array[]>;
}

export interface EmbeddingModelOptions {
  /** The provider's name of the model. */
  readonly model: string;
  /** The dimensions of stored vectors; null for as many as the model has by default. */
  readonly dimensions: number | null;
}
