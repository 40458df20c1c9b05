import { z } from 'zod';
import { lenient } from '../shared/lenient.ts';
import { type CallTools, demandDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';

const schema = z.object({
  id: z.string(),
  name: z.string(),
  verify_key: z.string(),
  flags: z.int(),
  interactions_endpoint_url: lenient(z.string()),
  bot: lenient(z.object({ id: z.string(), username: z.string() })),
});

export type OwnApplication = z.infer<typeof schema>;

export function ownApplication(account: DiscordAccount, tools: CallTools): Promise<OwnApplication> {
  return demandDiscord({ method: 'GET', path: '/applications/@me', result: schema }, account, tools);
}
