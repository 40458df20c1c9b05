import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AppError, StartError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { type ModelChoice, modelName } from '../../config/model-choice.ts';
import { withDeadline } from '../../contract/abort-signal.ts';
import { CircuitBreaker, type CountCalls } from '../../models/circuit-breaker.ts';
import {
  type FailureKind,
  ProviderFailure,
  toProviderFailure,
  toPublicError,
} from '../../models/provider-failure.ts';
import type { EmbeddingSettings } from '../../models/provider-settings.ts';
import { measureScale } from './cosine-scale.ts';
import { type CosineScale, type Embedder, EmbeddingError, type EmbedPassagesOptions } from './embedder.ts';
import type { EmbeddingApi, Purpose } from './providers/embedding-api.ts';
import { openEmbeddingApi } from './providers/open-embedding-api.ts';

export interface RemoteModel {
  readonly choice: ModelChoice;
  readonly settings: EmbeddingSettings;
  /** The dimensions of stored vectors of this model; absent if there are none yet. */
  readonly dimensions?: number;
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
 * Opens a provider's embedding model and sends it a test request. Throws a StartError if its vectors cannot be used. An
 * unavailable provider is no error: it may answer later.
 */
export async function openRemoteEmbedder(options: OpenRemoteOptions): Promise<Embedder> {
  const { choice, settings, dimensions = null, log, clock = systemClock, count } = options;
  const model = modelName(choice);
  const embedder = new RemoteEmbedder({
    model,
    dimensions,
    api: openEmbeddingApi(settings, { model: choice.model, dimensions }),
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

interface RemoteEmbedderOptions {
  /** `provider:model`. */
  readonly model: string;
  /** Null if the first vector decides. */
  readonly dimensions: number | null;
  readonly api: EmbeddingApi;
  readonly breaker: CircuitBreaker;
  readonly log: Pick<Logger, 'warn'>;
}

const INITIAL_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
/** After this many failures of one batch, its content is assumed to be the cause. */
const MAX_BATCH_FAILURES = 5;

/** Embeds with a provider's model. A circuit breaker pauses requests to a provider that keeps failing. */
export class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly engine = 'remote';
  readonly #options: RemoteEmbedderOptions;
  #dimensions: number | null;

  constructor(options: RemoteEmbedderOptions) {
    this.model = options.model;
    this.#dimensions = options.dimensions;
    this.#options = options;
  }

  /** 0 until the provider has answered. */
  get dimensions(): number {
    return this.#dimensions ?? 0;
  }

  readonly measure = (): Promise<CosineScale> =>
    measureScale(async (texts, purpose) => {
      const vectors: Float32Array[] = [];
      for (const batch of this.#batches(texts)) {
        vectors.push(...(await this.#embedWithRetries(batch, { purpose, signal: undefined })));
      }
      return vectors;
    });

  async embedQuery(text: string): Promise<Float32Array> {
    const { log } = this.#options;
    const [vector] = await this.#embed([text], { purpose: 'query', timeoutMs: QUERY_TIMEOUT_MS }, (failure) =>
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
    for (const batch of this.#batches(texts)) {
      signal?.throwIfAborted();
      vectors.push(...(await this.#embedWithRetries(batch, { purpose: 'passage', signal })));
    }
    return vectors;
  }

  /** Splits texts by the provider's limits. The abort signal is checked between requests. */
  *#batches(texts: readonly string[]): Generator<readonly string[]> {
    const { maxTexts, maxCharacters } = this.#options.api;
    let batch: string[] = [];
    let characters = 0;
    for (const text of texts) {
      if (batch.length > 0 && (batch.length === maxTexts || characters + text.length > maxCharacters)) {
        yield batch;
        batch = [];
        characters = 0;
      }
      batch.push(text);
      characters += text.length;
    }
    if (batch.length > 0) yield batch;
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
    { purpose, signal }: { readonly purpose: Purpose; readonly signal: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]> {
    const { breaker, log } = this.#options;
    let failures = 0;
    for (let pauseMs = INITIAL_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await this.#embed(texts, { purpose, timeoutMs: PASSAGES_TIMEOUT_MS });
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
    texts: readonly string[],
    { purpose, timeoutMs }: { readonly purpose: Purpose; readonly timeoutMs: number },
    onFailure: (kind: FailureKind) => void = () => {},
  ): Promise<readonly Float32Array[]> {
    const { api, breaker } = this.#options;
    if (!breaker.admit()) throw toPublicError([], { pauseMs: breaker.pauseMs });
    try {
      const vectors = await withDeadline({ timeoutMs }, (signal) => api.embed(texts, purpose, signal)).catch(
        (error: unknown) => {
          throw toProviderFailure(error);
        },
      );
      breaker.succeeded();
      return this.#validate(vectors, texts.length);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      onFailure(error.kind);
      throw toPublicError([error], { pauseMs: breaker.pauseMs });
    }
  }

  /** The first vector decides the dimensions of a model that has none stored. */
  #validate(vectors: readonly Float32Array[], expected: number): readonly Float32Array[] {
    if (vectors.length !== expected) {
      throw new EmbeddingError(`${this.model} returned ${vectors.length} vectors for ${expected} texts.`);
    }
    for (const vector of vectors) {
      if (vector.length === 0 || vector.length > MAX_DIMENSIONS || !vector.every(Number.isFinite)) {
        throw new EmbeddingError(
          `${this.model} returned a vector that is empty, longer than ${MAX_DIMENSIONS} numbers or not finite. Check that the server runs an embedding model.`,
        );
      }
      this.#dimensions ??= vector.length;
      if (vector.length !== this.#dimensions) {
        throw new EmbeddingError(
          `${this.model} returns vectors with ${vector.length} dimensions, but its stored ones have ${this.#dimensions}. Give the model another name on its server, or bring the earlier one back.`,
        );
      }
    }
    return vectors.map(unitVector);
  }
}

/** pgvector stores no longer vector. */
const MAX_DIMENSIONS = 16_000;

/** Scales a vector to unit length, so that inner products are cosines. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
