import type { Account } from '../core/contract/account.ts';
import type { AnyConnector, Connector } from '../core/contract/connector.ts';
import { defineFacets } from './define-facets.ts';

/**
 * Hides what is special to a channel: accounts come from the database, and are read by the channel's own schemas here.
 * Throws a ZodError for one that the schemas refuse, which none is that was stored by this version.
 */
export function defineConnector<Credentials, Settings>(
  connector: Connector<Credentials, Settings>,
): AnyConnector {
  const { manifest, webhook, listen, socket, facets } = connector;
  const known = new WeakMap<Account, Account<Credentials, Settings>>();
  const read = (account: Account): Account<Credentials, Settings> => {
    const before = known.get(account);
    if (before !== undefined) return before;
    const credentials = manifest.credentials.parse(account.credentials);
    const whole = { ...account, credentials, settings: manifest.settings.parse(account.settings) };
    known.set(account, whole);
    return whole;
  };
  return {
    manifest,
    intakeOf: (account) => connector.intakeOf(read(account)),
    webhook: webhook && {
      ...(webhook.greet && { greet: webhook.greet }),
      verify: (request, account, now) => webhook.verify(request, read(account), now),
      read: (request, account) => webhook.read(request, read(account)),
    },
    listen: listen && ((account, tools) => listen(read(account), tools)),
    ...(socket && {
      socket: {
        verify: (request, account, now) => socket.verify(request, read(account), now),
        serve: (opened, account, tools) => socket.serve(opened, read(account), tools),
      },
    }),
    probe: (account, tools) => connector.probe(read(account), tools),
    normalise: (native, account, receivedAt) => connector.normalise(native, read(account), receivedAt),
    render: (reply, to, account) => connector.render(reply, to, read(account)),
    deliver: (part, to, account, tools) => connector.deliver(part, to, read(account), tools),
    budgets: (to, account) => connector.budgets(to, read(account)),
    facets: defineFacets(facets, read),
  };
}
