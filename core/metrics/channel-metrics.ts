import { Counter, Histogram, type Registry } from 'prom-client';

/** The result of a platform call. `failed` means that the fault is on our side. */
export type CallOutcome = 'ok' | 'refused' | 'retry' | 'failed';

/** Waits take seconds normally and hours after an outage. */
const WAIT_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** Channel metrics of one process, by kind of channel. */
export class ChannelMetrics {
  readonly #calls: Counter<'channel' | 'outcome'>;
  readonly #answerDelays: Histogram<'channel'>;
  readonly #answerDurations: Histogram<'channel'>;
  readonly #sendDelays: Histogram<'channel'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const delays = { labelNames: ['channel'] as const, buckets: WAIT_BUCKETS, registers };
    this.#calls = new Counter({
      name: 'channel_calls_total',
      help: 'Platform calls by outcome.',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.#answerDelays = new Histogram({
      ...delays,
      name: 'channel_answer_delay_seconds',
      help: 'Time from the arrival of a message until its answer was stored.',
    });
    this.#answerDurations = new Histogram({
      ...delays,
      name: 'channel_answer_duration_seconds',
      help: 'Time to generate an answer, without the time in the queue.',
    });
    this.#sendDelays = new Histogram({
      ...delays,
      name: 'channel_send_delay_seconds',
      help: 'Time from storing a part of an answer until the platform accepted it.',
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
