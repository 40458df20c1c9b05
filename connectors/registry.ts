import type { AnyConnector } from '../core/contract/connector.ts';
import { defineConnector } from './define-connector.ts';
import { discord } from './discord/discord.ts';
import { telegram } from './telegram/telegram.ts';

/** Every channel, in the order in which they are listed. */
export const connectors: readonly AnyConnector[] = [defineConnector(discord), defineConnector(telegram)];

export function findConnector(channel: string): AnyConnector | undefined {
  return connectors.find(({ manifest }) => manifest.channel === channel);
}
