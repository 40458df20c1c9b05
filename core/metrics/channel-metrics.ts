import { Counter, Histogram, type Registry } from 'prom-client';

/** What became of a call of a platform. Failed: the fault was ours. */
export type CallOutcome = 'ok' | 'refused' | 'retry' | 'failed';

/** Visitors wait for seconds, and after an outage for hours. */
const waitBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** What one process counts of channels, by their kind. */
export class ChannelMetrics {
  readonly #calls: Counter<'channel' | 'outcome'>;
  readonly #answerDelays: Histogram<'channel'>;
  readonly #answerDurations: Histogram<'channel'>;
  readonly #sendDelays: Histogram<'channel'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const delays = { labelNames: ['channel'] as const, buckets: waitBuckets, registers };
    this.#calls = new Counter({
      name: 'channel_calls_total',
      help: 'Calls of platforms, by what became of them.',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.#answerDelays = new Histogram({
      ...delays,
      name: 'channel_answer_delay_seconds',
      help: 'From when a message came until its answer was stored.',
    });
    this.#answerDurations = new Histogram({
      ...delays,
      name: 'channel_answer_duration_seconds',
      help: 'How long making an answer took, without the wait for it.',
    });
    this.#sendDelays = new Histogram({
      ...delays,
      name: 'channel_send_delay_seconds',
      help: 'From when a part of an answer was stored until the platform had it.',
    });
  }

  called(channel: string, outcome: CallOutcome): void {
    this.#calls.inc({ channel, outcome });
  }

  answered(
    channel: string,
    { delayMs, durationMs }: { readonly delayMs: number; readonly durationMs: number },
  ) {
    this.#answerDelays.observe({ channel }, delayMs / 1_000);
    this.#answerDurations.observe({ channel }, durationMs / 1_000);
  }

  sent(channel: string, delayMs: number): void {
    this.#sendDelays.observe({ channel }, delayMs / 1_000);
  }
}
