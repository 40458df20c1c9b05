import type { Account } from '../core/contract/account.ts';
import type { AnyConnector, Channel, Connector } from '../core/contract/connector.ts';

/**
 * Hides the types of a channel's credentials and settings. Accounts come from the database and are parsed here by the
 * channel's own schemas, once for each object. `open` throws a ZodError if the schemas reject an account, which does not
 * happen for accounts that this version stored.
 */
export function defineConnector<Credentials, Settings>(
  connector: Connector<Credentials, Settings>,
): AnyConnector {
  const { manifest } = connector;
  const channels = new WeakMap<Account, Channel>();
  return {
    ...connector,
    open(account) {
      const known = channels.get(account);
      if (known !== undefined) return known;
      const credentials = manifest.credentials.parse(account.credentials);
      const settings = manifest.settings.parse(account.settings);
      const channel = connector.open({ ...account, credentials, settings });
      channels.set(account, channel);
      return channel;
    },
  };
}
