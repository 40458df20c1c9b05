import type { OpenedAccount } from '../channels/opened-account.ts';
import type { AnyConnector } from '../contract/connector.ts';

/** An account that is in use, with what sends and reads for it. */
export interface OpenAccount {
  readonly account: OpenedAccount;
  readonly workspaceId: string;
  readonly connector: AnyConnector;
}

/** Null where the account is gone, switched off, or of a channel that this version does not have. */
export type FindAccount = (channelId: string) => Promise<OpenAccount | null>;
