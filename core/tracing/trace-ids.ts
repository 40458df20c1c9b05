import { createHash } from 'node:crypto';
import type { SpanPlace, TraceOrigin } from './spans.ts';

/**
 * Returns the ids of a trace and of its root span: the first 16 bytes of the SHA-256 of `CHANNEL_ID EVENT_ID`, or of the
 * message's id, and the next 8. A server that stores an event and a worker that answers it know both, so the trace needs no
 * header in the queue. Pure.
 */
export function placeOf(origin: TraceOrigin): SpanPlace {
  const seed = 'messageId' in origin ? origin.messageId : `${origin.channelId} ${origin.eventId}`;
  const hash = createHash('sha256').update(seed).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), isCallerSampled: null };
}

/** Returns the place of a span below another one. The same step gets the same id, whoever exports it. Pure. */
export function placeBelow(parent: SpanPlace, step: string): SpanPlace {
  const hash = createHash('sha256').update(`${parent.traceId} ${parent.spanId} ${step}`).digest('hex');
  return { ...parent, spanId: hash.slice(0, 16) };
}

/**
 * Returns places in the trace of a span, each with an id of its own: its id with the last four digits counted on. An answer
 * has a few dozen spans, and a hash for each would cost more than all else about it. Pure.
 */
export function placesBelow({ spanId, ...place }: SpanPlace): () => SpanPlace {
  const rest = spanId.slice(0, 12);
  let last = Number.parseInt(spanId.slice(12), 16);
  return () => {
    last = (last + 1) % 0x1_00_00;
    return { ...place, spanId: `${rest}${last.toString(16).padStart(4, '0')}` };
  };
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** Returns the caller's place in the header `traceparent`; null if it is absent or invalid. Pure. */
export function parseTraceparent(header: unknown): SpanPlace | null {
  if (typeof header !== 'string' || header.length > 512) return null;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isCallerSampled: Number.parseInt(flags, 16) % 2 === 1 };
}
