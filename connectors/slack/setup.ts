import type { AppsManifestCreateArguments } from '@slack/web-api';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { GuideFacts, Tenancy } from '../../core/contract/facets.ts';
import { expectPlatform } from '../shared/http.ts';
import { apiBaseUrl, callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import { intakeMode } from './webhook.ts';

/** The steps on Slack's own pages, with what is pasted there. */
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
4. Add the channel with both in variables of your shell, if it is not there yet:

   npm run parley -- channel add slack --name "${name}" --credential-env bot_token=SLACK_BOT_TOKEN --credential-env signing_secret=SLACK_SIGNING_SECRET
`;

const socketModeSteps = (
  name: string,
) => `3. Choose how Slack is to reach this installation. The commands below read what you copied from variables of your shell:
   SLACK_BOT_TOKEN and so on.

   Over a socket, which needs no public address: under "Basic Information", "App-Level Tokens", generate a token with
   the scope connections:write (xapp-…), and add the channel:

   npm run parley -- channel add slack --name "${name}" --set mode=socket --credential-env bot_token=SLACK_BOT_TOKEN --credential-env app_token=SLACK_APP_TOKEN

   Or by requests to PUBLIC_URL: under "Basic Information" copy the "Signing Secret", and add the channel:

   npm run parley -- channel add slack --name "${name}" --credential-env bot_token=SLACK_BOT_TOKEN --credential-env signing_secret=SLACK_SIGNING_SECRET

   That prints webhook_url. In Slack switch "Socket Mode" off, then enter webhook_url as the "Request URL" of both "Event
   Subscriptions" and "Interactivity & Shortcuts", and save.
`;

const installSteps = (
  name: string,
) => `Then write to the app in a direct message, or invite it to a channel (/invite @name) and mention it there.

Where other teams are to install the app: under "OAuth & Permissions" add PUBLIC_URL/install/callback as a "Redirect URL",
under "Manage Distribution" switch on public distribution, and under "Org Level Apps" opt in, where an organisation of several
teams is to have it as a whole. Add the channel with the "Client ID" and "Client Secret" of "Basic Information" as well, and
without bot_token where none of the teams is yours; then make a link for each of them:

   npm run parley -- channel add slack --name "${name}" --credential-env signing_secret=SLACK_SIGNING_SECRET --credential-env client_id=SLACK_CLIENT_ID --credential-env client_secret=SLACK_CLIENT_SECRET
   npm run parley -- channel install-link CHANNEL`;

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
function buildAppManifest({ name, webhookUrl }: App): AppManifest {
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

/** What the app may do in a team, and what it is told of. */
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

/** An app that many teams install: each installation is an account of its own, under the one that is the app's. */
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

    /** Where an organisation of several teams installs the app, its id stands for all of them. */
    async exchange({ code, redirectUrl }, account, tools) {
      const { client_id, client_secret } = app(account);
      const grant = { client_id, client_secret, code, redirect_uri: redirectUrl };
      const installed = await callSlackOrThrow(
        { method: 'oauth.v2.access', token: null, run: (client) => client.oauth.v2.access(grant) },
        account,
        tools,
      );
      const { access_token, team, enterprise, is_enterprise_install } = installed;
      const place = is_enterprise_install === true ? enterprise : team;
      if (access_token === undefined || place?.id === undefined) {
        throw new ConnectorError('Slack does not say who installed the app.', { advice: { retry: 'never' } });
      }
      const { signing_secret, app_token } = account.credentials;
      return {
        tenant: place.id,
        name: place.name ?? place.id,
        credentials: { bot_token: access_token, signing_secret, app_token },
        settings: { ...account.settings, mode: 'events', team_id: place.id },
      };
    },
  },
};

function app({ credentials: { client_id, client_secret } }: SlackAccount) {
  if (client_id !== undefined && client_secret !== undefined) return { client_id, client_secret };
  throw new ConnectorError(
    'Teams install the app with client_id and client_secret: add both to the credentials of the channel.',
    {
      advice: { retry: 'never' },
    },
  );
}

/** Who we are in the team. Of an app that teams install by OAuth there is nothing to ask before one did. */
export async function probe(account: SlackAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  requireIntake(account);
  if (account.credentials.bot_token === undefined) return {};
  const who = await expectPlatform('Slack', account, () =>
    callSlackOrThrow({ method: 'auth.test', run: (client) => client.auth.test() }, account, tools),
  );
  return {
    team_id: who.team_id ?? null,
    team: who.team ?? null,
    enterprise_id: who.enterprise_id ?? null,
    is_enterprise_install: who.is_enterprise_install ?? false,
    user_id: who.user_id ?? null,
    name: who.user ?? null,
    bot_id: who.bot_id ?? null,
  };
}

function requireIntake(account: SlackAccount): void {
  const { signing_secret, app_token } = account.credentials;
  const missing =
    intakeMode(account) === 'webhook' ? [signing_secret, 'signing_secret'] : [app_token, 'app_token'];
  if (missing[0] !== undefined) return;
  throw new ConnectorError(`What Slack sends in this mode needs the credential ${missing[1]}.`, {
    advice: { retry: 'never' },
  });
}
