import type { GuideFacts } from '../../core/contract/facets.ts';
import { appManifest } from './app-manifest.ts';

/** The steps on Slack's own pages, with what is pasted there. */
export function guide({ name, webhookUrl }: GuideFacts): string {
  const json = JSON.stringify(appManifest({ name, webhookUrl }), null, 2);
  return `${making(json)}\n${webhookUrl === null ? bySocket(name) : byWebhook(name)}\n${inviting(name)}`;
}

const making = (
  json: string,
) => `1. Open https://api.slack.com/apps, choose "Create New App", then "From a manifest", and paste this:

${json}

2. On the app's page choose "Install App" and install it. Copy the "Bot User OAuth Token" (xoxb-…).
`;

const byWebhook = (name: string) => `3. Under "Basic Information" copy the "Signing Secret".
4. Add the channel with both in variables of your shell, if it is not there yet:

   npm run parley -- channel add slack --name "${name}" --credential-env bot_token=SLACK_BOT_TOKEN --credential-env signing_secret=SLACK_SIGNING_SECRET
`;

const bySocket = (
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

const inviting = (
  name: string,
) => `Then write to the app in a direct message, or invite it to a channel (/invite @name) and mention it there.

Where other teams are to install the app: under "OAuth & Permissions" add PUBLIC_URL/install/callback as a "Redirect URL",
under "Manage Distribution" switch on public distribution, and under "Org Level Apps" opt in, where an organisation of several
teams is to have it as a whole. Add the channel with the "Client ID" and "Client Secret" of "Basic Information" as well, and
without bot_token where none of the teams is yours; then make a link for each of them:

   npm run parley -- channel add slack --name "${name}" --credential-env signing_secret=SLACK_SIGNING_SECRET --credential-env client_id=SLACK_CLIENT_ID --credential-env client_secret=SLACK_CLIENT_SECRET
   npm run parley -- channel install-link CHANNEL`;
