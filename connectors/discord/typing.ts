import { z } from 'zod';
import type { Facets } from '../../core/contract/facets.ts';
import { addressOf } from './address.ts';
import { demandDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';

type Typing = NonNullable<Facets<DiscordAccount['credentials'], DiscordAccount['settings']>['typing']>;

export const typing: Typing = {
  /** Discord shows it for ten. */
  lastsMs: 8_000,

  /** A command that waits shows by itself that we are thinking. */
  async show(to, account, tools) {
    const { channel, interaction } = addressOf(to);
    if (interaction !== null && interaction.goodUntil > tools.now().getTime()) return;
    const path = `/channels/${channel}/typing`;
    await demandDiscord({ method: 'POST', path, result: z.unknown() }, account, tools);
  },
};
