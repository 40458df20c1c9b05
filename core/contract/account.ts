import type { RunInThread } from './threads.ts';

/** A value that comes back from JSON as it was. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/** A platform's account of a workspace: one bot, one number, one mailbox. */
export interface Account<Credentials = unknown, Settings = unknown> {
  /** `chan_…`. */
  readonly id: string;
  readonly credentials: Credentials;
  readonly settings: Settings;
  /** Made by us for this account: what a platform that lets us choose has to show with each of its calls. */
  readonly secret: string;
  /** Where the platform posts its events; null where this installation has no public address. */
  readonly webhookUrl: string | null;
  /** What `probe` learned of it: its id and name on the platform. Empty until then. */
  readonly profile: Readonly<Record<string, Json>>;
}

/** A conversation on the platform. */
export interface ConversationRef {
  /** The platform's own thread, as one string: what is said in one lane is handled in its order, one at a time. */
  readonly lane: string;
  /** How to send there. */
  readonly address: Json;
}

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
