import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Confidence } from '../contract/answer.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { RerankOutcome } from '../knowledge/ranking/reranker.ts';
import type { CredentialKind } from '../limits/guess-limit.ts';
import type { ModelOutcome } from '../models/circuit-breaker.ts';
import { ChannelMetrics } from './channel-metrics.ts';

/**
 * The result of a platform's webhook request. `refused` means that the signature is invalid. `failed` means
 * that the platform must send it again.
 */
export type WebhookOutcome = 'accepted' | 'ignored' | 'refused' | 'failed';

export type FaultKind = 'unhandled_rejection' | 'uncaught_exception';

interface EndedRequest {
  readonly method: string;
  /** The route's pattern, never the URL, so that clients cannot create new labels. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics about the runs of sources of one process, by kind of source. */
class SourceMetrics {
  readonly #runs: Counter<'kind' | 'state'>;
  readonly #items: Counter<'kind' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Counter({
      name: 'source_runs_total',
      help: 'Ended runs of sources. A run that was cancelled is not counted.',
      labelNames: ['kind', 'state'],
      registers,
    });
    this.#items = new Counter({
      name: 'source_items_total',
      help: 'Items of ended runs by what became of them.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
  }

  /** `counts` are those of the whole run. */
  ended(
    { kind, state }: { readonly kind: string; readonly state: 'finished' | 'failed' | 'held' },
    counts: Readonly<Record<string, number>>,
  ): void {
    this.#runs.inc({ kind, state });
    for (const [outcome, count] of Object.entries(counts)) {
      if (count > 0) this.#items.inc({ kind, outcome }, count);
    }
  }
}

/** Prometheus metrics of one process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'route'>;
  readonly #inFlight: Gauge;
  readonly #answers: Counter<'channel' | 'confidence'>;
  readonly #webhooks: Counter<'channel' | 'outcome'>;
  readonly #modelCalls: Counter<'model' | 'outcome'>;
  readonly #modelsWorking: Gauge<'model'>;
  readonly #faults: Counter<'kind'>;
  readonly #authFailures: Counter<'kind'>;
  /** Metrics about channels. */
  readonly channels = new ChannelMetrics(this.#registry);
  readonly sources = new SourceMetrics(this.#registry);
  #hasStoreGauges = false;

  constructor() {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'http_requests_total',
      help: 'Completed requests.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response.',
      labelNames: ['route'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests in progress.',
      registers,
    });
    this.#answers = new Counter({
      name: 'answers_total',
      help: 'Stored answers.',
      labelNames: ['channel', 'confidence'],
      registers,
    });
    this.#webhooks = new Counter({
      name: 'channel_webhooks_total',
      help: 'Webhook requests of platforms by outcome.',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.#modelCalls = new Counter({
      name: 'model_calls_total',
      help: "Calls of providers' language and embedding models by outcome.",
      labelNames: ['model', 'outcome'],
      registers,
    });
    this.#modelsWorking = new Gauge({
      name: 'parley_model_working',
      help: "1 if the last call of a provider's model was answered, 0 if it failed.",
      labelNames: ['model'],
      registers,
    });
    this.#faults = new Counter({
      name: 'parley_process_faults_total',
      help: 'Unhandled rejections and exceptions. The first one stops the process.',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of ['unhandled_rejection', 'uncaught_exception'] as const) this.#faults.inc({ kind }, 0);
    this.#authFailures = new Counter({
      name: 'parley_auth_failures_total',
      help: 'Wrong operator tokens, API keys, visitor sessions and public tokens.',
      labelNames: ['kind'],
      registers,
    });
  }

  /** Counts an unhandled error. */
  faulted(kind: FaultKind): void {
    this.#faults.inc({ kind });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  requestBegan(): void {
    this.#inFlight.inc();
  }

  requestEnded({ method, route, status, seconds }: EndedRequest): void {
    this.#inFlight.dec();
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ route }, seconds);
  }

  answered(channel: string, confidence: Confidence): void {
    this.#answers.inc({ channel, confidence });
  }

  webhookReceived(channel: string, outcome: WebhookOutcome): void {
    this.#webhooks.inc({ channel, outcome });
  }

  modelCalled(model: string, outcome: ModelOutcome): void {
    this.#modelCalls.inc({ model, outcome });
    // The other outcomes say nothing about the model.
    if (outcome !== 'abandoned' && outcome !== 'refused') {
      this.#modelsWorking.set({ model }, outcome === 'answered' ? 1 : 0);
    }
  }

  authFailed(kind: CredentialKind): void {
    this.#authFailures.inc({ kind });
  }

  /** Creates a histogram of durations in seconds for a component with metrics of its own. */
  durations<Label extends string>(options: {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly Label[];
  }): Histogram<Label> {
    return new Histogram({ ...options, buckets: REQUEST_BUCKETS, registers: [this.#registry] });
  }

  /** Creates the histogram of searches with a reranker. Returns the function that records one. */
  rerankings(): (outcome: RerankOutcome, seconds: number) => void {
    const durations = this.durations({
      name: 'parley_rerank_duration_seconds',
      help: 'Time that a search waited for the order of its passages, by outcome.',
      labelNames: ['outcome'],
    });
    return (outcome, seconds) => durations.observe({ outcome }, seconds);
  }

  /** Creates the counter of spans that are exported by OpenTelemetry. Returns the function that counts them. */
  exportedSpans(): (outcome: 'exported' | 'failed' | 'dropped', spans: number) => void {
    const spans = new Counter({
      name: 'parley_spans_total',
      help: 'Spans by outcome. The collector refused those that failed; those that were dropped found no room.',
      labelNames: ['outcome'],
      registers: [this.#registry],
    });
    for (const outcome of ['exported', 'failed', 'dropped'] as const) spans.inc({ outcome }, 0);
    return (outcome, count) => spans.inc({ outcome }, count);
  }

  /** Returns all metrics in Prometheus' text format. The first scrape adds the gauges that are read from the stores. */
  async text(addGauges: (registry: Registry) => void): Promise<string> {
    if (!this.#hasStoreGauges) {
      // The first scrape registers them, because observing the event loop and the garbage collector is not free.
      collectDefaultMetrics({ register: this.#registry });
      addGauges(this.#registry);
      this.#hasStoreGauges = true;
    }
    return this.#registry.metrics();
  }
}

/** Wraps an embedder so that the duration of each call is recorded. */
export function withEmbedderMetrics(embedder: Embedder, metrics: Metrics): Embedder {
  const durations = metrics.durations({
    name: 'embedding_duration_seconds',
    help: 'Time to embed a question (0 if its vector was cached) or a batch of passages.',
    labelNames: ['kind'],
  });
  const timed = async <Result>(kind: string, work: Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await work;
    durations.observe({ kind }, (performance.now() - startedAt) / 1_000);
    return result;
  };
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    engine: embedder.engine,
    measure: embedder.measure,
    embedQuery: (text) => timed('question', embedder.embedQuery(text)),
    embedPassages: (texts, options) => timed('passages', embedder.embedPassages(texts, options)),
    check: () => embedder.check(),
    close: () => embedder.close(),
  };
}
