import { editDistance } from '../base/edit-distance.ts';
import { AppError } from '../base/errors.ts';
import type { AnyConnector } from '../contract/connector.ts';

/** Returns the connector of a channel; undefined if this version has none. */
type FindConnector = (channel: string) => AnyConnector | undefined;

/** The available channels. The entry points of the processes provide it, because core must not import connectors. */
export interface ConnectorRegistry {
  readonly connectors: readonly AnyConnector[];
  readonly findConnector: FindConnector;
}

/** Returns the channels whose accounts are mailboxes. */
export function findMailboxChannels({ connectors }: Pick<ConnectorRegistry, 'connectors'>): string[] {
  return connectors.filter(({ about }) => about.isMailbox).map(({ manifest }) => manifest.channel);
}

/** The maximum edit distance at which a name counts as a typing error. */
const maxTypos = 2;
/** Longer than any name: the distance costs the product of both lengths. */
const maxTypedLength = 40;

/** Returns the connector of a channel. Throws `unknown_channel` with the available channels and the closest name. */
export function requireConnector(registry: ConnectorRegistry, channel: string): AnyConnector {
  const connector = registry.findConnector(channel);
  if (connector !== undefined) return connector;
  const known = registry.connectors.map(({ manifest }) => manifest.channel);
  if (known.length === 0) {
    throw new AppError('unknown_channel', {
      detail: 'There is no channel of that kind. This build has no channels.',
    });
  }
  const typed = channel.toLowerCase().slice(0, maxTypedLength);
  const [nearest] = known
    .map((name) => ({ name, typos: editDistance(typed, name) }))
    .toSorted((one, other) => one.typos - other.typos);
  const guess = nearest !== undefined && nearest.typos <= maxTypos ? ` Did you mean ${nearest.name}?` : '';
  throw new AppError('unknown_channel', {
    detail: `There is no channel of that kind. Use one of ${known.join(', ')}.${guess}`,
  });
}
