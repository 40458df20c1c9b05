import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { modelName } from '../../config/model-choice.ts';
import type { RerankApi } from '../../config/provider-table.ts';
import { withDeadline } from '../../contract/abort-signal.ts';
import { CircuitBreaker, type CountCalls } from '../../models/circuit-breaker.ts';
import { adviceFor } from '../../models/model-check.ts';
import { postJson } from '../../models/openai/post-json.ts';
import { ProviderFailure, readField, safeReason, toProviderFailure } from '../../models/provider-failure.ts';
import type { RerankModel } from '../../models/provider-settings.ts';
import { indexedText, type RankedChunk } from '../passage.ts';
import { searchRules } from '../rules.ts';

/** The outcome of one search: `paused` if the provider was not asked because it keeps failing. */
export type RerankOutcome = 'ordered' | 'late' | 'failed' | 'paused';

export interface RerankerOptions extends RerankModel {
  /** A search waits this long for the order. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count?: CountCalls | undefined;
  /** Called once for each search. */
  readonly measure?: ((outcome: RerankOutcome, seconds: number) => void) | undefined;
}

/** A local server loads its model at the first request. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Puts passages in order with a provider's model that reads question and passage together. Searches go on in their own
 * order while it fails or is late; a circuit breaker pauses requests to a provider that keeps failing.
 */
export class Reranker {
  /** `provider:model`. */
  readonly model: string;
  readonly #options: RerankerOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: RerankerOptions) {
    const { choice, clock, count } = options;
    this.model = modelName(choice);
    this.#options = options;
    this.#breaker = new CircuitBreaker(clock, (outcome) => count?.(this.model, outcome));
  }

  /**
   * Returns the passages with the best ones in the provider's order. Their scores stay as they are, because confidence is
   * calibrated on them and every provider has a scale of its own. Throws the reason of `signal` if it aborts.
   */
  async order<Found extends RankedChunk>(
    question: string,
    ranked: readonly Found[],
    signal?: AbortSignal,
  ): Promise<readonly Found[]> {
    const best = ranked.slice(0, searchRules.rerankedPassages);
    if (best.length < 2) return ranked;
    const { timeoutMs } = this.#options;
    const scores = await this.#measured(() => {
      const documents = best.map(({ title, headings, body }) => indexedText(title ?? '', headings, body));
      return this.#score({ query: question, documents }, { timeoutMs, signal });
    });
    if (scores === null) return ranked;
    const places = best.map((passage, index) => ({ passage, score: scores[index] ?? 0 }));
    places.sort((one, other) => other.score - one.score);
    return [...places.map(({ passage }) => passage), ...ranked.slice(best.length)];
  }

  /** Sends a short request. Returns null if it was answered as it should be, and logs any other outcome. */
  async check(signal?: AbortSignal): Promise<ProviderFailure | null> {
    const asked = { query: 'When are you open?', documents: ['We open at nine.', 'We sell tools.'] };
    const { log, settings } = this.#options;
    // A paused provider is asked too: a success ends the pause.
    this.#breaker.admit();
    try {
      await this.#score(asked, { timeoutMs: CHECK_TIMEOUT_MS, signal });
      return null;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const reason = safeReason(error, settings.apiKey);
      const advice = adviceFor(error, 'RERANK_MODEL');
      log.warn({ model: this.model, failure: error.kind, reason, advice }, 'model check failed');
      return error;
    }
  }

  /** Returns null if the provider is paused, late or failing. */
  async #measured(score: () => Promise<readonly number[]>): Promise<readonly number[] | null> {
    const { measure, log, settings } = this.#options;
    if (!this.#breaker.admit()) {
      measure?.('paused', 0);
      return null;
    }
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    try {
      const scores = await score();
      measure?.('ordered', seconds());
      return scores;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      measure?.(error.kind === 'timeout' ? 'late' : 'failed', seconds());
      const reason = safeReason(error, settings.apiKey);
      log.warn({ model: this.model, failure: error.kind, reason }, 'reranking failed, keeping own order');
      return null;
    }
  }

  /** Asks the provider, which the breaker has admitted. Throws a `ProviderFailure`, or the reason of `signal`. */
  async #score(
    asked: RerankTask,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<readonly number[]> {
    const { api, choice, settings } = this.#options;
    try {
      const answer = await withDeadline({ timeoutMs, signal }, async (connection) => {
        const body = buildRerankRequest(api, choice.model, asked);
        return (await postJson(settings, { path: '/rerank', body, signal: connection })).json();
      });
      const scores = parseRelevance(api, answer, asked.documents.length);
      this.#breaker.succeeded();
      return scores;
    } catch (error) {
      if (signal?.aborted === true) {
        this.#breaker.abandoned();
        throw signal.reason;
      }
      const failure = toProviderFailure(error);
      this.#breaker.failed(failure);
      throw failure;
    }
  }
}

interface RerankTask {
  readonly query: string;
  readonly documents: readonly string[];
}

/**
 * Builds the body of a request. Cohere, Jina, Infinity, LiteLLM, vLLM and llama-server take the same one; Voyage calls the
 * number of results `top_k`, and Text Embeddings Inference has one model and takes `texts`. Pure.
 */
export function buildRerankRequest(api: RerankApi, model: string, { query, documents }: RerankTask): object {
  if (api === 'tei') return { query, texts: documents, truncate: true };
  if (api === 'voyage') return { model, query, documents, top_k: documents.length };
  // Jina returns the documents unless it is told not to; others refuse the field.
  const quiet = api === 'jina' ? { return_documents: false } : {};
  return { model, query, documents, top_n: documents.length, ...quiet };
}

/** Returns the relevance of each document in the order of the request. Throws a TypeError unless each has exactly one. */
export function parseRelevance(api: RerankApi, answer: unknown, documents: number): readonly number[] {
  const list = api === 'tei' ? answer : readField(answer, api === 'voyage' ? 'data' : 'results');
  if (!Array.isArray(list)) throw new TypeError('the provider returned no list of scores');
  const scores = new Map<unknown, number>();
  for (const item of list) {
    const score = readField(item, api === 'tei' ? 'score' : 'relevance_score');
    if (typeof score === 'number' && Number.isFinite(score)) scores.set(readField(item, 'index'), score);
  }
  const found = Array.from({ length: documents }, (_, index) => scores.get(index));
  const known = found.filter((score) => score !== undefined);
  if (known.length === documents && list.length === documents) return known;
  throw new TypeError(
    `the provider scored ${known.length} of ${documents} passages in ${list.length} results`,
  );
}
