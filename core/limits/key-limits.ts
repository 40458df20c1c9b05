/** How much a key may still do, as the `X-RateLimit-…` headers tell it. */
export interface KeyLimits {
  readonly minute: number;
  readonly minuteRemaining: number;
  readonly day: number;
  readonly dayRemaining: number;
  /** When the day's count starts again: the next midnight UTC. */
  readonly dayResets: Date;
}
