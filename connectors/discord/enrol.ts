import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { demandDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';
import { ownApplication } from './own-application.ts';

const path = '/applications/@me';

/** Tells Discord where to post. It tries the address at once: with a PING, and with one that is signed wrongly. */
export async function enrol(account: DiscordAccount, tools: Tools): Promise<void> {
  const { webhookUrl: url } = account;
  if (url === null) {
    throw new ConnectorError('Discord cannot post to an installation without a public address.', {
      advice: { retry: 'never' },
    });
  }
  await setEndpoint(url, account, tools);
}

/** An address that is not ours is left alone. */
export async function retire(account: DiscordAccount, tools: Tools): Promise<void> {
  const { interactions_endpoint_url: url } = await ownApplication(account, tools);
  if (url !== null && url === account.webhookUrl) await setEndpoint(null, account, tools);
}

async function setEndpoint(url: string | null, account: DiscordAccount, tools: Tools): Promise<void> {
  const body = { interactions_endpoint_url: url };
  await demandDiscord({ method: 'PATCH', path, body, result: z.unknown() }, account, tools);
}
