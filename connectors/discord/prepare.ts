import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { demandDiscord } from './call-discord.ts';
import { commands } from './commands.ts';
import type { DiscordAccount } from './manifest.ts';
import { ownApplication } from './own-application.ts';

/** Registers our commands, each by its name: others of the application stay. */
export async function prepare(account: DiscordAccount, tools: Tools): Promise<void> {
  const path = `/applications/${account.credentials.application_id}/commands`;
  for (const body of commands)
    await demandDiscord({ method: 'POST', path, body, result: z.unknown() }, account, tools);
  if (account.settings.mode !== 'gateway') return;
  const { interactions_endpoint_url: url } = await ownApplication(account, tools);
  if (url === null || url === '') return;
  tools.log.warn({}, 'Discord posts commands and buttons elsewhere: they do not come over the gateway');
}
