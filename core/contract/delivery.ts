import type { Json } from './json.ts';

/** One event of the platform, as it is stored: interpreted later, so that a mistake in that can be repaired. */
export interface Delivery {
  /** The same whenever the platform sends it again. */
  readonly id: string;
  readonly lane: string;
  readonly native: Json;
  /** The event belongs to several that come one by one: the lane waits so long for the rest. Absent: not at all. */
  readonly settleMs?: number;
  /** It is ours only with what it may have overtaken: a lane that has heard of nothing yet waits so long for that. */
  readonly settleIfFirstMs?: number;
  /** The platform waits to be told that it was heard, as it does of a button: see `facets.acknowledge`. */
  readonly acknowledge?: true;
  /**
   * Whose it is, where one account of ours serves several of the platform's: a team, a guild, an app's customer. It goes to
   * the account that is this tenant's, and from then on only that one is asked about it.
   */
  readonly tenant?: string;
  /** What `recall` is to tell later, stored with the delivery. */
  readonly remember?: readonly Memory[];
}

/** What is kept of a channel for as long as it exists; a later one replaces an earlier one of the same key. */
export interface Memory {
  readonly key: string;
  readonly value: Json;
}
