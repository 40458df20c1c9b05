import { setTimeout as wait } from 'node:timers/promises';
import { CircuitBreaker, type CountCalls } from '../../answering/models/circuit-breaker.ts';
import { type ModelChoice, modelName } from '../../answering/models/model-choice.ts';
import { type EmbedTexts, openaiEmbeddings } from '../../answering/models/openai/openai-embeddings.ts';
import { type FailureKind, ProviderFailure, toPublicError } from '../../answering/models/provider-failure.ts';
import type { ProviderSettings } from '../../answering/models/provider-settings.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { AppError, StartError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { VECTOR_DIMENSIONS } from '../vectors.ts';
import { type Embedder, EmbeddingError, type EmbedPassagesOptions } from './embedder.ts';

export interface RemoteModel {
  readonly choice: ModelChoice;
  readonly settings: ProviderSettings;
}

interface OpenRemoteOptions extends RemoteModel {
  readonly log: Pick<Logger, 'warn'>;
  readonly clock?: Clock;
  readonly count?: CountCalls | undefined;
}

/** Queries keep a visitor waiting; passages only a job. */
const QUERY_TIMEOUT_MS = 10_000;
const PASSAGES_TIMEOUT_MS = 60_000;

/**
 * Opens a provider's embedding model and sends it a test request. Throws a StartError if its vectors have the wrong
 * length. An unavailable provider is no error: it may answer later.
 */
export async function openRemoteEmbedder(options: OpenRemoteOptions): Promise<Embedder> {
  const { choice, settings, log, clock = systemClock, count } = options;
  const model = modelName(choice);
  const open = (timeoutMs: number) =>
    openaiEmbeddings({ ...settings, choice, dimensions: VECTOR_DIMENSIONS, timeoutMs });
  const embedder = new RemoteEmbedder({
    model,
    dimensions: VECTOR_DIMENSIONS,
    query: open(QUERY_TIMEOUT_MS),
    passages: open(PASSAGES_TIMEOUT_MS),
    breaker: new CircuitBreaker(clock, (outcome) => count?.(model, outcome)),
    log,
  });
  try {
    await embedder.embedQuery('Hello');
  } catch (error) {
    if (error instanceof EmbeddingError) throw new StartError(error.message, error);
    if (!(error instanceof AppError)) throw error;
  }
  return embedder;
}

export interface RemoteEmbedderOptions {
  /** `provider:model`. */
  readonly model: string;
  readonly dimensions: number;
  readonly query: EmbedTexts;
  readonly passages: EmbedTexts;
  readonly breaker: CircuitBreaker;
  readonly log: Pick<Logger, 'warn'>;
}

/** Passages per request. The abort signal is checked between requests. */
const BATCH_SIZE = 64;
const INITIAL_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
/** After this many failures of one batch, its content is assumed to be the cause. */
const MAX_BATCH_FAILURES = 5;

/** Embeds with a provider's model. A circuit breaker pauses requests to a provider that keeps failing. */
export class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly engine = 'remote';
  readonly #options: RemoteEmbedderOptions;

  constructor(options: RemoteEmbedderOptions) {
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.#options = options;
  }

  async embedQuery(text: string): Promise<Float32Array> {
    const { query, log } = this.#options;
    const [vector] = await this.#embed(query, [text], (failure) =>
      log.warn({ model: this.model, failure }, 'embedding request failed, searching by words alone'),
    );
    if (vector === undefined) throw new EmbeddingError(`${this.model} returned no vector.`);
    return vector;
  }

  async embedPassages(
    texts: readonly string[],
    { signal }: EmbedPassagesOptions = {},
  ): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH_SIZE) {
      signal?.throwIfAborted();
      vectors.push(...(await this.#embedWithRetries(texts.slice(start, start + BATCH_SIZE), signal)));
    }
    return vectors;
  }

  async check(): Promise<void> {
    const { pauseMs } = this.#options.breaker;
    if (pauseMs > 0) throw toPublicError([], { pauseMs });
  }

  /** Does nothing: no connection stays open. */
  async close(): Promise<void> {}

  /** Retries with back-off while the provider is unavailable: no visitor waits for passages. */
  async #embedWithRetries(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const { breaker, log, passages } = this.#options;
    let failures = 0;
    for (let pauseMs = INITIAL_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await this.#embed(passages, texts);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const kind = error.cause instanceof ProviderFailure ? error.cause.kind : 'unreachable';
        failures += kind === 'failed' ? 1 : 0;
        if (kind === 'refused' || failures >= MAX_BATCH_FAILURES) throw error;
        const waitMs = Math.max(pauseMs, breaker.pauseMs);
        log.warn({ model: this.model, failure: kind, waitMs }, 'embedding of documents delayed');
        await wait(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  async #embed(
    embed: EmbedTexts,
    texts: readonly string[],
    onFailure: (kind: FailureKind) => void = () => {},
  ): Promise<readonly Float32Array[]> {
    const { breaker } = this.#options;
    if (!breaker.admit()) throw toPublicError([], { pauseMs: breaker.pauseMs });
    try {
      const vectors = await embed(texts);
      breaker.succeeded();
      return this.#validate(vectors, texts.length);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      onFailure(error.kind);
      throw toPublicError([error], { pauseMs: breaker.pauseMs });
    }
  }

  #validate(vectors: readonly Float32Array[], expected: number): readonly Float32Array[] {
    if (vectors.length !== expected) {
      throw new EmbeddingError(`${this.model} returned ${vectors.length} vectors for ${expected} texts.`);
    }
    const mismatched = vectors.find(({ length }) => length !== this.dimensions);
    if (mismatched !== undefined) {
      throw new EmbeddingError(
        `EMBEDDING_MODEL ${this.model} returns vectors with ${mismatched.length} dimensions. Choose a model that supports ${this.dimensions}.`,
      );
    }
    return vectors.map(unitVector);
  }
}

/** Scales a vector to unit length, so that inner products are cosines. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
