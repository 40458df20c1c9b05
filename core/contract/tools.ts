/** What a connector needs of the world. */
export interface Tools {
  /** Refuses what it has to refuse by itself: private networks where they are not allowed. */
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly log: { warn(facts: object, text: string): void };
  readonly signal: AbortSignal;
}
