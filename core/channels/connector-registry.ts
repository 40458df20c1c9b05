import type { AnyConnector } from '../contract/connector.ts';

/** The connector of a channel; undefined where this version has none. */
export type FindConnector = (channel: string) => AnyConnector | undefined;

/** The channels that there are. The roots of processes hand it in: core knows no connector. */
export interface ConnectorRegistry {
  readonly connectors: readonly AnyConnector[];
  readonly findConnector: FindConnector;
}
