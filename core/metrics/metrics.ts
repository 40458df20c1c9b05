import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ModelOutcome } from '../answering/models/circuit-breaker.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { Confidence } from '../knowledge/ranking/rank-candidates.ts';
import type { CredentialKind } from '../limits/guess-limit.ts';
import { ChannelMetrics } from './channel-metrics.ts';
import { addChannelGauges, addStoreGauges, type MeasuredChannels, type MeasuredStores } from './gauges.ts';

/** What became of a request of a platform. Refused: its signature did not fit. Failed: it is sent again. */
export type WebhookOutcome = 'accepted' | 'ignored' | 'refused' | 'failed';

export type FaultKind = 'unhandled_rejection' | 'uncaught_exception';

interface EndedRequest {
  readonly method: string;
  /** The pattern of the route, never the address itself: labels must not grow with what callers send. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What one process counts, for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'route'>;
  readonly #inFlight: Gauge;
  readonly #answers: Counter<'channel' | 'confidence'>;
  readonly #webhooks: Counter<'channel' | 'outcome'>;
  readonly #modelCalls: Counter<'model' | 'outcome'>;
  readonly #faults: Counter<'kind'>;
  readonly #authFailures: Counter<'kind'>;
  /** What happens in channels. */
  readonly channels = new ChannelMetrics(this.#registry);
  #complete = false;

  constructor() {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'http_requests_total',
      help: 'Requests that were answered.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer.',
      labelNames: ['route'],
      buckets: requestBuckets,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers,
    });
    this.#answers = new Counter({
      name: 'answers_total',
      help: 'Answers that were given and stored.',
      labelNames: ['channel', 'confidence'],
      registers,
    });
    this.#webhooks = new Counter({
      name: 'channel_webhooks_total',
      help: 'Requests of platforms, by what became of them.',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.#modelCalls = new Counter({
      name: 'model_calls_total',
      help: "Calls of providers' language and embedding models, by what became of them.",
      labelNames: ['model', 'outcome'],
      registers,
    });
    this.#faults = new Counter({
      name: 'parley_process_faults_total',
      help: 'Rejections and exceptions that nothing handled; the first one ends the process.',
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

  /** An error that nothing handled. */
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
  }

  authFailed(kind: CredentialKind): void {
    this.#authFailures.inc({ kind });
  }

  /** A histogram of how long something takes, in seconds, that this process measures beside the rest. */
  durations<Label extends string>(options: {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly Label[];
  }): Histogram<Label> {
    return new Histogram({ ...options, buckets: requestBuckets, registers: [this.#registry] });
  }

  /** Everything, in Prometheus' text format. */
  async text(stores: MeasuredStores & MeasuredChannels): Promise<string> {
    if (!this.#complete) {
      // Only where somebody reads them: watching the event loop and the garbage collector is not free.
      collectDefaultMetrics({ register: this.#registry });
      addStoreGauges(this.#registry, stores);
      addChannelGauges(this.#registry, stores);
      this.#complete = true;
    }
    return this.#registry.metrics();
  }
}

/** The same embedder, with the time of every call told to the metrics. */
export function withEmbedderMetrics(embedder: Embedder, metrics: Metrics): Embedder {
  const durations = metrics.durations({
    name: 'embedding_duration_seconds',
    help: 'How long embedding took: a question (0 where its vector was remembered), or a batch of passages.',
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
    dimensions: embedder.dimensions,
    engine: embedder.engine,
    embedQuery: (text) => timed('question', embedder.embedQuery(text)),
    embedPassages: (texts, options) => timed('passages', embedder.embedPassages(texts, options)),
    check: () => embedder.check(),
    close: () => embedder.close(),
  };
}
