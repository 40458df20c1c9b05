import type { OpenedAccount } from '../../core/channels/opened-account.ts';
import type { AnyConnector } from '../../core/contract/connector.ts';
import { RequestValue } from '../request-value.ts';

interface AddressedChannel {
  readonly account: OpenedAccount;
  readonly connector: AnyConnector;
  readonly webhook: NonNullable<AnyConnector['webhook']>;
}

/** The channel that the path of a platform's request names. */
export const addressedChannel = new RequestValue<AddressedChannel>('channel');
