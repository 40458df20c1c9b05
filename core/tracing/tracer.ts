import { toAnswerSpans } from './answer-spans.ts';
import { toJoinedSpan, toMessageSpan, toReceivedSpan, toSentSpan, toWaitedSpan } from './message-spans.ts';
import type { EndedSpan, SpanPlace, Spans, TraceOrigin } from './spans.ts';
import { parseTraceparent, placeOf } from './trace-ids.ts';

/** Takes spans that have ended. It neither waits nor throws. */
export interface SpanOutlet {
  readonly add: (spans: readonly EndedSpan[]) => void;
  close(): Promise<void>;
}

/** Makes spans of what it is told, and hands them on. */
export class Tracer implements Spans {
  readonly #outlet: SpanOutlet;
  readonly #newSeed: () => string;

  constructor(outlet: SpanOutlet, newSeed: () => string) {
    this.#outlet = outlet;
    this.#newSeed = newSeed;
  }

  callerOf(traceparent: unknown): SpanPlace | null {
    return parseTraceparent(traceparent);
  }

  rootOf(origin: TraceOrigin): SpanPlace {
    return placeOf(origin);
  }

  received(...step: Parameters<Spans['received']>): void {
    this.#outlet.add([toReceivedSpan(...step)]);
  }

  waited(...step: Parameters<Spans['waited']>): void {
    this.#outlet.add([toWaitedSpan(...step)]);
  }

  answered(answer: Parameters<Spans['answered']>[0]): void {
    this.#outlet.add(toAnswerSpans(answer, answer.messageId ?? this.#newSeed()));
  }

  sent(...part: Parameters<Spans['sent']>): void {
    this.#outlet.add([toSentSpan(...part)]);
  }

  ended(...message: Parameters<Spans['ended']>): void {
    this.#outlet.add([toMessageSpan(...message)]);
  }

  joined(...step: Parameters<Spans['joined']>): void {
    this.#outlet.add([toJoinedSpan(...step)]);
  }

  close(): Promise<void> {
    return this.#outlet.close();
  }
}
