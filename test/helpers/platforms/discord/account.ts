import type { DiscordAccount } from '../../../../connectors/discord/manifest.ts';
import type { DiscordStandIn } from './stand-in.ts';

/** The bot of a stand-in, as it is stored after Discord was asked for its identity. */
export function accountOn(
  { url, world }: Pick<DiscordStandIn, 'url' | 'world'>,
  settings: Partial<DiscordAccount['settings']> = {},
): DiscordAccount {
  const { application, bot, token } = world;
  return {
    id: 'chan_discord',
    credentials: { bot_token: token, application_id: application.id, public_key: application.verify_key },
    settings: { enabled: true, mode: 'gateway', api_base_url: url, ...settings },
    secret: 'unused',
    webhookUrl: 'https://parley.example/webhooks/chan_discord',
    profile: {
      id: bot.id,
      username: bot.username,
      name: application.name,
      message_content: application.flags !== 0,
    },
  };
}
