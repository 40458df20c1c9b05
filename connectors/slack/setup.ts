import type { AppsManifestCreateArguments } from '@slack/web-api';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { GuideFacts, Tenancy } from '../../core/contract/facets.ts';
import { expectPlatform } from '../shared/http.ts';
import { apiBaseUrl, callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import { intakeMode } from './webhook.ts';

/** Returns the operator's setup steps on Slack's pages, with the app manifest to paste. */
export function guide({ name, webhookUrl }: GuideFacts): string {
  const json = JSON.stringify(buildAppManifest({ name, webhookUrl }), null, 2);
  return `${creationSteps(json)}\n${webhookUrl === null ? socketModeSteps(name) : webhookSteps(name)}\n${installSteps(name)}`;
}

const creationSteps = (
  json: string,
) => `1. Open https://api.slack.com/apps, choose "Create New App", then "From a manifest", and paste this:

${json}

2. On the app's page choose "Install App" and install it. Copy the "Bot User OAuth Token" (xoxb-…).
`;

const webhookSteps = (name: string) => `3. Under "Basic Information" copy the "Signing Secret".
4. If the channel does not exist yet, put both values into shell variables and add the channel:

   npm run parley -- channel add slack --name "${name}" --credential-env bot_token=SLACK_BOT_TOKEN --credential-env signing_secret=SLACK_SIGNING_SECRET
`;

const socketModeSteps = (
  name: string,
) => `3. Choose how events reach this installation. The commands below read the copied values from shell variables such as
   SLACK_BOT_TOKEN.

   Socket mode needs no public address. Under "Basic Information", "App-Level Tokens", generate a token with the scope
   connections:write (xapp-…), and add the channel:

   npm run parley -- channel add slack --name "${name}" --set mode=socket --credential-env bot_token=SLACK_BOT_TOKEN --credential-env app_token=SLACK_APP_TOKEN

   Webhooks need a public address (PUBLIC_URL). Under "Basic Information" copy the "Signing Secret", and add the channel:

   npm run parley -- channel add slack --name "${name}" --credential-env bot_token=SLACK_BOT_TOKEN --credential-env signing_secret=SLACK_SIGNING_SECRET

   The command prints webhook_url. In Slack switch "Socket Mode" off, then enter webhook_url as the "Request URL" of both
   "Event Subscriptions" and "Interactivity & Shortcuts", and save.
`;

const installSteps = (
  name: string,
) => `To test the channel, send the app a direct message, or invite it to a channel (/invite @name) and mention it there.

To let other teams install the app: under "OAuth & Permissions" add PUBLIC_URL/install/callback as a "Redirect URL", and
under "Manage Distribution" switch on public distribution. To let an organisation install it for several teams at once,
opt in under "Org Level Apps". Add the channel with the "Client ID" and "Client Secret" from "Basic Information" as well.
Omit bot_token if the app is not installed in a team of your own. Then create an installation link for each team:

   npm run parley -- channel add slack --name "${name}" --credential-env signing_secret=SLACK_SIGNING_SECRET --credential-env client_id=SLACK_CLIENT_ID --credential-env client_secret=SLACK_CLIENT_SECRET
   npm run parley -- channel install-link CHANNEL`;

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
export const tenancy: Tenancy<SlackAccount['credentials'], SlackAccount['settings']> = {
  tenantOf: ({ settings }) => settings.team_id ?? null,

  oauth: {
    authoriseUrl(account, { redirectUrl, state }) {
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
    async exchange({ code, redirectUrl }, account, tools) {
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
};

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
