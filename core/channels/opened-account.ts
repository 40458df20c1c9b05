import type { Account } from '../contract/account.ts';

/** A channel as its connector needs it, with what the rest of the product needs to know of it. Holds secrets. */
export interface OpenedAccount extends Account {
  readonly workspaceId: string;
  readonly channel: string;
  readonly enabled: boolean;
  /** The channel whose app it shares; null where it has an app of its own. */
  readonly parentId: string | null;
}
