import { setTimeout as wait } from 'node:timers/promises';
import type { CircuitBreaker } from '../../answering/models/circuit-breaker.ts';
import { failureForCallers } from '../../answering/models/failure-for-callers.ts';
import type { EmbedTexts } from '../../answering/models/openai/openai-embeddings.ts';
import { type FailureKind, ProviderFailure } from '../../answering/models/provider-failure.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Embedder, EmbedPassagesOptions } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';
import { unitVector } from './unit-vector.ts';

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
    if (pauseMs > 0) throw failureForCallers([], { pauseMs });
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
    if (!breaker.admit()) throw failureForCallers([], { pauseMs: breaker.pauseMs });
    try {
      const vectors = await embed(texts);
      breaker.succeeded();
      return this.#checked(vectors, texts.length);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      onFailure(error.kind);
      throw failureForCallers([error], { pauseMs: breaker.pauseMs });
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
