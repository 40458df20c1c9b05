import type { AnyConnector } from '../core/contract/connector.ts';

/** Every channel, in the order in which they are listed. */
export const connectors: readonly AnyConnector[] = [];

export function findConnector(channel: string): AnyConnector | undefined {
  return connectors.find(({ manifest }) => manifest.channel === channel);
}
