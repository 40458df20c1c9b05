import type { AppsManifestCreateArguments } from '@slack/web-api';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { GuideFacts, Tenancy } from '../../core/contract/facets.ts';
import { expectPlatform } from '../shared/http.ts';
import { apiBaseUrl, callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import { intakeMode } from './webhook.ts';

/** Returns the app manifest to paste on Slack's pages. */
export function guideValues({ name, webhookUrl }: GuideFacts): Readonly<Record<string, string>> {
  return { app_manifest: JSON.stringify(buildAppManifest({ name, webhookUrl }), null, 2) };
}

type Known = Exclude<AppsManifestCreateArguments['manifest'], string>;
/** The SDK's bot scopes lack `assistant:write`, which apps with `agent_view` require. */
type AppManifest = Omit<Known, 'oauth_config'> & {
  oauth_config: { redirect_urls?: readonly string[]; scopes: { bot: readonly string[] } };
};

interface App {
  readonly name: string;
  /** Null if Slack cannot reach this installation; events then arrive in socket mode. */
  readonly webhookUrl: string | null;
}

const NAME_CHARS = 35;
const BOT_CHARS = 80;

/** Builds the app manifest that the operator pastes on Slack's pages. */
function buildAppManifest({ name, webhookUrl }: App): AppManifest {
  const shortName = [...(name.trim() || 'Parley')].slice(0, NAME_CHARS).join('');
  const requestUrl = webhookUrl === null ? {} : { request_url: webhookUrl };
  return {
    display_information: { name: shortName, description: 'Answers questions from your documents.' },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: botName(shortName), always_online: true },
      agent_view: {
        agent_description: 'Ask me anything: I answer from our documents, and call a person if you want one.',
      },
    },
    oauth_config: { ...redirects(webhookUrl), scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { ...requestUrl, bot_events: [...botEvents] },
      interactivity: { is_enabled: true, ...requestUrl },
      org_deploy_enabled: false,
      socket_mode_enabled: webhookUrl === null,
      token_rotation_enabled: false,
    },
  };
}

/** The OAuth redirect address, which is a sibling of the webhook address. */
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

const scopes = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'chat:write',
  'files:read',
  'groups:history',
  'im:history',
  'mpim:history',
  'reactions:read',
  'users:read',
] as const;

const botEvents = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  'reaction_removed',
  'tokens_revoked',
] as const;

/** Distribution of one app to many teams: each installation is an account below the app's account. */
export const createTenancy = (account: SlackAccount): Tenancy => ({
  tenant: account.settings.team_id ?? null,

  oauth: {
    authoriseUrl({ redirectUrl, state }) {
      const url = new URL('../oauth/v2/authorize', apiBaseUrl(account));
      const { client_id } = app(account);
      url.search = new URLSearchParams({
        client_id,
        scope: scopes.join(','),
        redirect_uri: redirectUrl,
        state,
      }).toString();
      return url.href;
    },

    /** Exchanges the OAuth code. For an organisation-wide installation the organisation's id is the tenant of all its teams. */
    async exchange({ code, redirectUrl }, tools) {
      const { client_id, client_secret } = app(account);
      const grant = { client_id, client_secret, code, redirect_uri: redirectUrl };
      const installed = await callSlackOrThrow(
        { method: 'oauth.v2.access', token: null, run: (client) => client.oauth.v2.access(grant) },
        account,
        tools,
      );
      const { access_token, team, enterprise, is_enterprise_install } = installed;
      const installer = is_enterprise_install === true ? enterprise : team;
      if (access_token === undefined || installer?.id === undefined) {
        throw new ConnectorError('Slack returned no installing team or no token.', {
          advice: { retry: 'never' },
        });
      }
      const { signing_secret, app_token } = account.credentials;
      return {
        tenant: installer.id,
        name: installer.name ?? installer.id,
        credentials: { bot_token: access_token, signing_secret, app_token },
        settings: { ...account.settings, mode: 'events', team_id: installer.id },
      };
    },
  },
});

function app({ credentials: { client_id, client_secret } }: SlackAccount) {
  if (client_id !== undefined && client_secret !== undefined) return { client_id, client_secret };
  throw new ConnectorError(
    'Installation by OAuth requires client_id and client_secret. Add both to the credentials of the channel.',
    {
      advice: { retry: 'never' },
    },
  );
}

/** Returns the bot's identity in its team. Empty for an app without a bot token, which teams install by OAuth. */
export async function probe(account: SlackAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  requireIntake(account);
  if (account.credentials.bot_token === undefined) return {};
  const identity = await expectPlatform('Slack', account, () =>
    callSlackOrThrow({ method: 'auth.test', run: (client) => client.auth.test() }, account, tools),
  );
  return {
    team_id: identity.team_id ?? null,
    team: identity.team ?? null,
    enterprise_id: identity.enterprise_id ?? null,
    is_enterprise_install: identity.is_enterprise_install ?? false,
    user_id: identity.user_id ?? null,
    name: identity.user ?? null,
    bot_id: identity.bot_id ?? null,
  };
}

function requireIntake(account: SlackAccount): void {
  const { signing_secret, app_token } = account.credentials;
  const missing =
    intakeMode(account) === 'webhook' ? [signing_secret, 'signing_secret'] : [app_token, 'app_token'];
  if (missing[0] !== undefined) return;
  throw new ConnectorError(`Receiving events in this mode requires the credential ${missing[1]}.`, {
    advice: { retry: 'never' },
  });
}
