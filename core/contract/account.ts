import type { RunInThread } from './threads.ts';

/** A value that survives a round trip through JSON unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/** One account of a workspace on a platform: one bot, one phone number or one mailbox. */
export interface Account<Credentials = unknown, Settings = unknown> {
  /** Starts with `chan_`. */
  readonly id: string;
  /** The credentials, parsed by `manifest.credentials`. */
  readonly credentials: Credentials;
  /** The settings, parsed by `manifest.settings`. */
  readonly settings: Settings;
  /**
   * A random secret generated for this account. Connectors of platforms that allow a caller-chosen secret require it on
   * each webhook request.
   */
  readonly secret: string;
  /** The URL where the platform posts its events; null if this installation has no public address. */
  readonly webhookUrl: string | null;
  /**
   * The result of the last `probe`, such as the account's id and name on the platform. Empty before the first `probe`.
   */
  readonly profile: Readonly<Record<string, Json>>;
}

/** A conversation on the platform. */
export interface ConversationRef {
  /** The platform's thread as one string. Events of one lane are handled one at a time, in order. */
  readonly lane: string;
  /** The connector's own data for sending to this conversation. */
  readonly address: Json;
}

/** Everything a connector may use to reach the outside world. */
export interface Tools {
  /**
   * Like the global `fetch`, but refuses requests that the installation does not allow, such as those to private
   * networks.
   */
  readonly fetch: typeof fetch;
  /**
   * Returns the addresses of a host, best first, for connections that do not use HTTP. Connect to these addresses only:
   * the name may resolve differently a moment later (DNS rebinding). It refuses the same hosts as `fetch`.
   */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /**
   * Reads a file of an agent by the link in `ReplyFile.url`, from the installation's own store; null if it was deleted
   * meanwhile.
   */
  readonly readFile: (url: string) => Promise<{ readonly body: Uint8Array } | null>;
  /** The current time. Connectors use it instead of `new Date()`, so that tests can set the clock. */
  readonly now: () => Date;
  /** Writes a warning to the service's log. Secrets must not appear in it. */
  readonly log: { warn(facts: object, text: string): void };
  /** Runs a module of the connector in a worker thread, for parsing that a malicious sender can make expensive. */
  readonly runInThread: RunInThread;
  /**
   * Aborts when the call's deadline passes (15 seconds by default) or, for listeners and sockets, when the process shuts
   * down. `fetch` and `runInThread` observe it already.
   */
  readonly signal: AbortSignal;
}
