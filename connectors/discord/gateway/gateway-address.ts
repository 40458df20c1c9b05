import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { lenient } from '../../shared/lenient.ts';
import { type CallTools, demandDiscord } from '../call-discord.ts';
import type { DiscordAccount } from '../manifest.ts';

const HOMES = /(^|\.)discord\.(gg|com)$/;

const schema = z.object({
  url: z.string(),
  shards: lenient(z.int()),
  session_start_limit: lenient(z.object({ remaining: z.int(), reset_after: z.number() })),
});

export interface GatewayAddress {
  readonly url: string;
  /** How many connections Discord would have this bot hold. */
  readonly connections: number;
}

/** Where a session can begin. Throws where Discord lets this bot begin no more of them for now. */
export async function gatewayAddress(account: DiscordAccount, tools: CallTools): Promise<GatewayAddress> {
  const call = { method: 'GET', path: '/gateway/bot', result: schema } as const;
  const { url, shards, session_start_limit: limit } = await demandDiscord(call, account, tools);
  if (limit !== null && limit.remaining < 1) {
    throw new ConnectorError('Discord lets this bot begin no more sessions for a while.', {
      advice: { retry: 'after', afterMs: limit.reset_after },
    });
  }
  return { url, connections: shards ?? 1 };
}

/** The address of a socket: of Discord, or of the host that the operator named. */
export function socketUrl(address: string, { settings }: DiscordAccount): string {
  const url = URL.parse(address);
  const own = URL.parse(settings.api_base_url ?? '');
  const isHome = url?.protocol === 'wss:' && HOMES.test(url.hostname);
  const isOwn = url !== null && ['ws:', 'wss:'].includes(url.protocol) && url.hostname === own?.hostname;
  if (url === null || !(isHome || isOwn)) {
    throw new ConnectorError('The address of the gateway is neither of Discord nor of api_base_url.', {
      advice: { retry: 'backoff' },
    });
  }
  url.search = new URLSearchParams({ v: '10', encoding: 'json' }).toString();
  return url.href;
}
