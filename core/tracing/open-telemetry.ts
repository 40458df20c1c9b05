import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { withTimeout } from '../base/async.ts';
import type { Logger } from '../base/log.ts';
import type { TelemetrySettings } from '../config/telemetry.ts';
import type { EndedSpan } from './spans.ts';
import type { SpanOutlet } from './tracer.ts';

/**
 * The only file that names the packages of OpenTelemetry. It is imported when an endpoint is set, and not before.
 */

export type SpanOutcome = 'exported' | 'failed' | 'dropped';

interface ExportOptions {
  readonly settings: TelemetrySettings;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly count: (outcome: SpanOutcome, spans: number) => void;
  readonly version: string;
  /** Tells the processes of an installation apart. */
  readonly instance: string;
  /** The time between two exports, in milliseconds. Tests shorten it. */
  readonly everyMs?: number;
}

/** Spans that wait, at most. A span takes about 1 kB. */
const MAX_WAITING = 4_096;
const MAX_BATCH = 512;
const EVERY_MS = 5_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** The process ends whether the collector answers or not. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Opens the export of spans by OTLP over HTTP. Its headers are secret and never logged. */
export function openExport({ settings, version, instance, everyMs, ...told }: ExportOptions): SpanOutlet {
  const { url, headers, serviceName } = settings;
  const exporter = new OTLPTraceExporter({
    ...{ url, headers: { ...headers } },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const observed = new ObservedExporter(exporter, { ...told, host: new URL(url).host });
  const processor = new BatchSpanProcessor({
    exporter: observed,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: everyMs ?? EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const resource = resourceFromAttributes({
    ...{ 'service.version': version, 'service.instance.id': instance },
    ...settings.resource,
    'service.name': serviceName,
  });
  const isSampled = openSampler(settings);
  return {
    add(spans) {
      const sampled = spans.filter(isSampled);
      const room = Math.max(0, MAX_WAITING - observed.waiting);
      if (sampled.length > room) told.count('dropped', sampled.length - room);
      for (const span of sampled.slice(0, room)) {
        observed.waiting += 1;
        processor.onEnd(toReadableSpan(span, resource, version));
      }
    },
    async close() {
      const closed = processor.shutdown().catch(() => {
        // The exporter has logged and counted it.
      });
      if (!(await withTimeout(FLUSH_TIMEOUT_MS, closed)) && observed.waiting > 0) {
        told.count('dropped', observed.waiting);
      }
    },
  };
}

type Exported = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Counts what becomes of spans, and logs the beginning and the end of an outage. */
class ObservedExporter implements SpanExporter {
  /** The spans that wait and were not handed to the exporter. */
  waiting = 0;
  readonly #exporter: SpanExporter;
  readonly #told: Pick<ExportOptions, 'log' | 'count'> & { readonly host: string };
  #isAway = false;

  constructor(
    exporter: SpanExporter,
    told: Pick<ExportOptions, 'log' | 'count'> & { readonly host: string },
  ) {
    this.#exporter = exporter;
    this.#told = told;
  }

  export(spans: ReadableSpan[], done: (result: Exported) => void): void {
    this.waiting -= spans.length;
    this.#exporter.export(spans, (result) => {
      this.#note(result, spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #note({ code, error }: Exported, spans: number): void {
    const { log, count, host } = this.#told;
    const hasFailed = code !== SUCCESS;
    count(hasFailed ? 'failed' : 'exported', spans);
    if (hasFailed && !this.#isAway)
      log.warn({ collector: host, reason: describeFailure(error) }, 'span export failed');
    if (!hasFailed && this.#isAway) log.info({ collector: host }, 'span export recovered');
    this.#isAway = hasFailed;
  }
}

/** `ExportResultCode.SUCCESS` of the packages. */
const SUCCESS = 0;
const MAX_REASON_CHARS = 200;

/** The body of the response is left out: a proxy may repeat the request in it. */
function describeFailure(error: Error | undefined): string {
  if (error === undefined) return 'no reason';
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message.slice(0, MAX_REASON_CHARS)}${code}`;
}

/**
 * Decides by the trace, so that all processes export all spans of a trace, or none. A caller's decision about its own trace
 * counts for samplers that ask the parent.
 */
function openSampler({ sampler, ratio }: TelemetrySettings): (span: EndedSpan) => boolean {
  const asksParent = sampler.startsWith('parentbased_');
  const bound = Math.floor((sampler.endsWith('traceidratio') ? ratio : 1) * 2 ** 32);
  const isInShare = ({ traceId }: EndedSpan) => Number.parseInt(traceId.slice(24), 16) < bound;
  const isOn = sampler.endsWith('always_off') ? () => false : isInShare;
  return (span) => (asksParent && span.isCallerSampled !== null ? span.isCallerSampled : isOn(span));
}

const KINDS = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
const FLAG_SAMPLED = 1;

function toReadableSpan(span: EndedSpan, resource: Resource, version: string): ReadableSpan {
  const { traceId, parentSpanId, error, startMs } = span;
  const contextOf = (spanId: string) => ({ traceId, spanId, traceFlags: FLAG_SAMPLED });
  const context = contextOf(span.spanId);
  const endMs = Math.max(startMs, span.endMs);
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => context,
    ...(parentSpanId !== null && { parentSpanContext: contextOf(parentSpanId) }),
    startTime: toHighResolution(startMs),
    endTime: toHighResolution(endMs),
    duration: toHighResolution(endMs - startMs),
    status: { code: error === null ? STATUS_UNSET : STATUS_ERROR },
    attributes: toAttributes(span),
    links: (span.links ?? []).map((place) => ({
      context: { traceId: place.traceId, spanId: place.spanId, traceFlags: FLAG_SAMPLED },
    })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'parley', version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toAttributes({ attributes, error }: EndedSpan): ReadableSpan['attributes'] {
  const found: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    found[name] = typeof value === 'object' ? [...value] : value;
  }
  if (error !== null) found['error.type'] = error;
  return found;
}

/** Seconds, and nanoseconds of the last one. */
function toHighResolution(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
