import type { Account } from './account.ts';
import type { Delivery } from './delivery.ts';
import type { Json } from './json.ts';
import type { Tools } from './tools.ts';

/** Stores deliveries; resolves when they cannot be lost any more. */
export type Accept = (deliveries: readonly Delivery[]) => Promise<void>;

export interface ListenerTools extends Tools {
  readonly accept: Accept;
  /**
   * Told whenever the platform was heard of, also where it had nothing to say. `notice` is shown to operators for as long
   * as it is told: that it works, but will not for ever.
   */
  readonly alive: (notice?: string) => void;
  /** What was kept by `keep` last, by whichever process; null at first. */
  readonly cursor: Json | null;
  /** Called only after `accept` resolved. */
  readonly keep: (cursor: Json) => Promise<void>;
  /** What deliveries of this channel asked to remember, by key; nothing of an unknown one. */
  readonly recall: (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;
}

/** Holds a connection to the platform until `signal` aborts; throws ConnectorErrors where it ends otherwise. */
export type Listen<Credentials, Settings> = (
  account: Account<Credentials, Settings>,
  tools: ListenerTools,
) => Promise<void>;
