import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

/** The connector of a channel. Throws `unknown_channel`, with those that there are. */
export function requireConnector(registry: ConnectorRegistry, channel: string): AnyConnector {
  const connector = registry.findConnector(channel);
  if (connector !== undefined) return connector;
  const known = registry.connectors.map(({ manifest }) => manifest.channel).join(', ');
  throw new AppError('unknown_channel', {
    detail: `There is no channel of that kind: ${known === '' ? 'none is built in' : `channel takes ${known}`}.`,
  });
}
