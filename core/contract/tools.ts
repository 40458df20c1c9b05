import type { RunInThread } from './threads.ts';

/** What a connector needs of the world. */
export interface Tools {
  /** Refuses what it has to refuse by itself: private networks where they are not allowed. */
  readonly fetch: typeof fetch;
  /**
   * The addresses of a host, best first, for a connection of another protocol: to these and no others, whatever the name
   * resolves to a moment later. Refuses what `fetch` refuses.
   */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly now: () => Date;
  readonly log: { warn(facts: object, text: string): void };
  /** Runs a module of the connector in a thread: for parsing that a stranger can make expensive. */
  readonly runInThread: RunInThread;
  readonly signal: AbortSignal;
}
