import type { AppsManifestCreateArguments } from '@slack/web-api';
import { botEvents, scopes } from './scopes.ts';

type Known = Exclude<AppsManifestCreateArguments['manifest'], string>;
/** The SDK does not list `assistant:write` among the scopes of bots, which the newer apps cannot do without. */
type AppManifest = Omit<Known, 'oauth_config'> & {
  oauth_config: { redirect_urls?: readonly string[]; scopes: { bot: readonly string[] } };
};

interface App {
  readonly name: string;
  /** Null where Slack cannot reach us: then events come over a socket. */
  readonly webhookUrl: string | null;
}

const NAME_CHARS = 35;
const BOT_CHARS = 80;

/** What makes an app on Slack's own pages. */
export function appManifest({ name, webhookUrl }: App): AppManifest {
  const shown = [...(name.trim() || 'Parley')].slice(0, NAME_CHARS).join('');
  const posted = webhookUrl === null ? {} : { request_url: webhookUrl };
  return {
    display_information: { name: shown, description: 'Answers questions from your documents.' },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: botName(shown), always_online: true },
      agent_view: {
        agent_description:
          'Ask me anything: I answer from our documents, and call a person where you want one.',
      },
    },
    oauth_config: { ...redirects(webhookUrl), scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { ...posted, bot_events: [...botEvents] },
      interactivity: { is_enabled: true, ...posted },
      org_deploy_enabled: false,
      socket_mode_enabled: webhookUrl === null,
      token_rotation_enabled: false,
    },
  };
}

/** Where people are sent back to who install the app into their team: beside the address of events. */
function redirects(webhookUrl: string | null): { redirect_urls?: readonly string[] } {
  return webhookUrl === null ? {} : { redirect_urls: [new URL('../install/callback', webhookUrl).href] };
}

function botName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return (plain || 'parley').slice(0, BOT_CHARS);
}
