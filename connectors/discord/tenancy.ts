import type { Tenancy } from '../../core/contract/facets.ts';
import type { DiscordAccount } from './manifest.ts';

/** One bot in many servers, each of which may be of a workspace of its own. */
export const tenancy: Tenancy<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  tenantOf: ({ settings }) => settings.guild_id ?? null,
  oauth: null,
};
