import type { AnswerTrace } from '../contract/trace/answer-trace.ts';

/** The place of a span: its trace (32 hexadecimal digits) and its own id (16 digits). */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the caller exports its spans of the trace; null for a trace of our own, about which the sampler decides. */
  readonly isCallerSampled: boolean | null;
}

/** Ids, numbers and names that operators gave, never a text of a visitor or a document. */
type Attribute = string | number | boolean | readonly string[];

/** A span that has ended. Times are milliseconds since 1970. */
export interface EndedSpan extends SpanPlace {
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly startMs: number;
  readonly endMs: number;
  /** Attributes that are undefined are left out. */
  readonly attributes: Readonly<Record<string, Attribute | undefined>>;
  /** Why it failed, as `error.type`; null if it did not. */
  readonly error: string | null;
  /** The spans of other traces that it belongs to. */
  readonly links?: readonly SpanPlace[];
}

/**
 * The beginning of a trace: the first event that a message answers, or the message itself if no event of a platform led to
 * it. The ids of the trace and of its root follow from it, so that every process finds them alone.
 */
export type TraceOrigin =
  | { readonly channelId: string; readonly eventId: string }
  | { readonly messageId: string };

/** The time of each step of an answer, in milliseconds since 1970, in the order of its trace. */
export interface AnswerTimes {
  readonly stages: readonly { readonly stage: string; readonly at: number; readonly until: number }[];
  readonly readings: readonly number[];
  /** `input`: the tokens of the request; 0 if the provider does not report them. */
  readonly attempts: readonly { readonly at: number; readonly input: number }[];
  readonly skills: readonly number[];
}

/** The channel that a message came through. */
export interface SpanChannel {
  readonly id: string;
  /** Such as `telegram`. */
  readonly kind: string;
  readonly workspaceId: string;
}

export interface AnsweredSpan {
  /** Null: the answer is the root of a trace of its own. */
  readonly parent: SpanPlace | null;
  readonly workspaceId: string;
  /** The kind of channel, such as `api`. */
  readonly channel: string;
  readonly conversationId: string | null;
  /** Null if nothing was stored. */
  readonly messageId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly trace: AnswerTrace;
  readonly times: AnswerTimes;
  readonly tokens: number;
  /** Null if nothing was stored. */
  readonly confidence: string | null;
  /** Why the answer failed; null if it was stored. */
  readonly failed: unknown;
}

interface StepSpan {
  readonly origin: TraceOrigin;
  readonly channel: SpanChannel;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SentSpan extends StepSpan {
  readonly messageId: string;
  readonly part: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Why the platform refused the part, as `error.type`; null if it was sent. */
  readonly error: string | null;
}

export interface MessageSpan extends StepSpan {
  /** `event`: something other than a message happened on the platform. */
  readonly name: 'message' | 'event';
  /** Null if no message was stored. */
  readonly messageId: string | null;
  readonly conversationId: string | null;
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly attempts: number;
  readonly parts: number;
}

/**
 * Exports how messages came about, as OpenTelemetry spans. No method waits, throws or fails: a span that cannot be exported is
 * dropped and counted. A process without it exports nothing and computes nothing for it.
 */
export interface Spans {
  /** Returns the place of a caller's span in the header `traceparent` of W3C; null if there is none. */
  callerOf(traceparent: unknown): SpanPlace | null;
  /** Returns the place of the span `message`, which every other span of its trace is below. */
  rootOf(origin: TraceOrigin): SpanPlace;
  /** An event of a platform was stored. */
  received(step: StepSpan): void;
  /** An event waited in its lane until an answer began. */
  waited(step: StepSpan): void;
  /** The engine answered, or failed to. */
  answered(answer: AnsweredSpan): void;
  /** A part was handed to a platform, which took or refused it. */
  sent(part: SentSpan): void;
  /** A message is at its end. */
  ended(message: MessageSpan): void;
  /** An event was answered together with an earlier one. */
  joined(step: StepSpan, to: TraceOrigin): void;
  /** Exports what waits, for three seconds at most. */
  close(): Promise<void>;
}
