import type { Delivery } from '../contract/delivery.ts';
import type { OpenedAccount } from './opened-account.ts';

/** Stores what a platform told of an account; resolves when it cannot be lost any more, and rejects where it may be. */
export type AcceptDeliveries = (account: OpenedAccount, deliveries: readonly Delivery[]) => Promise<void>;
