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

/** A visitor waits for the one, the queue for the other. */
const QUERY_TIMEOUT_MS = 10_000;
const PASSAGES_TIMEOUT_MS = 60_000;

/**
 * Opens a provider's embedding model and tries it. Throws a StartError where it makes vectors of another length; a
 * provider that does not answer now may do so later.
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

/** Passages that are asked for between two looks at the signal. */
const BATCH = 64;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** What a provider does wrong so often with one batch it does for what is in it. */
const MOST_FAILURES = 5;

/** Embeds with a provider's model. A provider that fails again and again is left alone for a while. */
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
      log.warn(
        { model: this.model, failure },
        'the embedding model does not answer: questions are answered from their words alone where that will do',
      ),
    );
    if (vector === undefined) throw new EmbeddingError(`${this.model} returned no vector.`);
    return vector;
  }

  async embedPassages(
    texts: readonly string[],
    { signal }: EmbedPassagesOptions = {},
  ): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      signal?.throwIfAborted();
      vectors.push(...(await this.#embedPatiently(texts.slice(start, start + BATCH), signal)));
    }
    return vectors;
  }

  async check(): Promise<void> {
    const { pauseMs } = this.#options.breaker;
    if (pauseMs > 0) throw toPublicError([], { pauseMs });
  }

  /** Nothing is kept open. */
  async close(): Promise<void> {}

  /** Nobody waits for passages: a provider that is out of order is asked again until it is not. */
  async #embedPatiently(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const { breaker, log, passages } = this.#options;
    let failures = 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await this.#embed(passages, texts);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const kind = error.cause instanceof ProviderFailure ? error.cause.kind : 'unreachable';
        failures += kind === 'failed' ? 1 : 0;
        if (kind === 'refused' || failures >= MOST_FAILURES) throw error;
        const waitMs = Math.max(pauseMs, breaker.pauseMs);
        log.warn({ model: this.model, failure: kind, waitMs }, 'documents wait for the embedding model');
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
      return this.#checked(vectors, texts.length);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      onFailure(error.kind);
      throw toPublicError([error], { pauseMs: breaker.pauseMs });
    }
  }

  #checked(vectors: readonly Float32Array[], expected: number): readonly Float32Array[] {
    if (vectors.length !== expected) {
      throw new EmbeddingError(`${this.model} returned ${vectors.length} vectors for ${expected} texts.`);
    }
    const odd = vectors.find(({ length }) => length !== this.dimensions);
    if (odd !== undefined) {
      throw new EmbeddingError(
        `EMBEDDING_MODEL ${this.model} makes vectors of ${odd.length} numbers; choose a model that makes, or can be asked for, ${this.dimensions}.`,
      );
    }
    return vectors.map(unitVector);
  }
}

/** A vector at unit length: what is compared is its direction. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
