export interface Pace {
  /** Within so long Discord greets a connection that is worth anything. */
  readonly helloMs: number;
  /** Within so long it says that a session has begun, or goes on. */
  readonly readyMs: number;
  /** Within so long it answers a heartbeat. */
  readonly ackMs: number;
  /** The least, and how much more at random, before another try where Discord knows the session no more. */
  readonly invalidMs: readonly [least: number, more: number];
  /** Between two beginnings of a session. */
  readonly identifyMs: number;
  /** Before the next connection after one that came to nothing; doubled each time. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** How long nothing may be heard before that is told. */
  readonly patienceMs: number;
}
