import { closest, distance } from 'fastest-levenshtein';
import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';

/** The connector of a channel; undefined where this version has none. */
type FindConnector = (channel: string) => AnyConnector | undefined;

/** The channels that there are. The roots of processes hand it in: core knows no connector. */
export interface ConnectorRegistry {
  readonly connectors: readonly AnyConnector[];
  readonly findConnector: FindConnector;
}

/** More letters than that are no slip. */
const mostSlips = 2;

/** The connector of a channel. Throws `unknown_channel`, with the kinds that there are and the one that was meant. */
export function requireConnector(registry: ConnectorRegistry, channel: string): AnyConnector {
  const connector = registry.findConnector(channel);
  if (connector !== undefined) return connector;
  const known = registry.connectors.map(({ manifest }) => manifest.channel);
  if (known.length === 0) {
    throw new AppError('unknown_channel', {
      detail: 'There is no channel of that kind: none is built in.',
    });
  }
  const nearest = closest(channel.toLowerCase(), known);
  const guess = distance(channel.toLowerCase(), nearest) <= mostSlips ? ` Did you mean ${nearest}?` : '';
  throw new AppError('unknown_channel', {
    detail: `There is no channel of that kind: channel takes ${known.join(', ')}.${guess}`,
  });
}
