import type { RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { GuideFacts, Tenancy } from '../../core/contract/facets.ts';
import { expectPlatform } from '../shared/http.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { optionalField } from '../shared/payload.ts';
import { type CallTools, callDiscordOrThrow } from './api-client.ts';
import type { DiscordAccount } from './manifest.ts';

/** What an operator does in Discord's Developer Portal. */
export function guide({ name, webhookUrl }: GuideFacts): string {
  return `${name} on Discord:

1. https://discord.com/developers/applications → "New Application". Its name is what people see.
2. "General Information": copy the Application ID (application_id) and the Public Key (public_key).
3. "Bot" → "Reset Token": copy the token (bot_token); it is shown once. No privileged intent is needed. With "Message
   Content Intent" switched on, follow-ups in a thread need no mention of the bot.
4. "Installation" → Install Link: "None", so that nobody adds the bot with other permissions than these.
5. Open this link, with your Application ID in it, and choose the server:
   ${buildInviteLink('APPLICATION_ID')}
   It asks for: View Channels, Send Messages, Create Public Threads, Send Messages in Threads, Read Message History.
6. Add the channel, with what you copied in variables of your shell:

   npm run parley -- channel add discord --name "${name}" --credential-env bot_token=DISCORD_BOT_TOKEN --credential-env public_key=DISCORD_PUBLIC_KEY --credential-env application_id=DISCORD_APPLICATION_ID
${endpointNote(webhookUrl)}
Then mention the bot in the server, or give the command /ask: Parley registers /ask and /human by itself.
`;
}

function endpointNote(webhookUrl: string | null): string {
  if (webhookUrl === null) return '';
  return `7. Leave "Interactions Endpoint URL" empty. With mode=interactions Parley enters it by itself:
   ${webhookUrl}
`;
}

/** By their bits. All that is done needs no others. */
const PERMISSIONS = {
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  readMessageHistory: 1n << 16n,
  createPublicThreads: 1n << 35n,
  sendMessagesInThreads: 1n << 38n,
};

/** Where a person lets the bot into his server, with its commands and exactly the permissions that it needs. */
function buildInviteLink(applicationId: string): string {
  const permissions = Object.values(PERMISSIONS).reduce((all, one) => all | one, 0n);
  const url = new URL('https://discord.com/oauth2/authorize');
  url.search = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(permissions),
  }).toString();
  return url.href;
}

/** Allowed outright, or in fewer than a hundred servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

/** Also whether what the operator pasted belongs together: Discord would refuse it later, and say less. */
export function probe(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Discord', account, () => profileOf(account, tools));
}

async function profileOf(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const { application_id: id, public_key: key } = account.credentials;
  const application = await fetchCurrentApplication(account, tools);
  if (application.id !== id)
    throw setupError(`The bot token is of the application ${application.id}, not of ${id}.`);
  if (application.verify_key.toLowerCase() !== key.toLowerCase())
    throw setupError(`The public key is not that of ${application.name}.`);
  if (application.bot === null) throw setupError(`${application.name} has no bot.`);
  return {
    id: application.bot.id,
    username: application.bot.username,
    name: application.name,
    message_content: (application.flags & MESSAGE_CONTENT) !== 0,
  };
}

function setupError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}

const schema = z.object({
  id: z.string(),
  name: z.string(),
  verify_key: z.string(),
  flags: z.int(),
  interactions_endpoint_url: optionalField(z.string()),
  bot: optionalField(z.object({ id: z.string(), username: z.string() })),
});

type CurrentApplication = z.infer<typeof schema>;

function fetchCurrentApplication(account: DiscordAccount, tools: CallTools): Promise<CurrentApplication> {
  return callDiscordOrThrow({ method: 'GET', path: '/applications/@me', result: schema }, account, tools);
}

const path = '/applications/@me';

/** Tells Discord where to post. It tries the address at once: with a PING, and with one that is signed wrongly. */
export async function enrol(account: DiscordAccount, tools: Tools): Promise<void> {
  const { webhookUrl: url } = account;
  if (url === null) {
    throw new ConnectorError('Discord cannot post to an installation without a public address.', {
      advice: { retry: 'never' },
    });
  }
  await setEndpoint(url, account, tools);
}

/** An address that is not ours is left alone. */
export async function retire(account: DiscordAccount, tools: Tools): Promise<void> {
  const { interactions_endpoint_url: url } = await fetchCurrentApplication(account, tools);
  if (url !== null && url === account.webhookUrl) await setEndpoint(null, account, tools);
}

async function setEndpoint(url: string | null, account: DiscordAccount, tools: Tools): Promise<void> {
  const body = { interactions_endpoint_url: url };
  await callDiscordOrThrow({ method: 'PATCH', path, body, result: z.unknown() }, account, tools);
}

/** Registers our commands, each by its name: others of the application stay. */
export async function prepare(account: DiscordAccount, tools: Tools): Promise<void> {
  const path = `/applications/${account.credentials.application_id}/commands`;
  for (const body of slashCommands)
    await callDiscordOrThrow({ method: 'POST', path, body, result: z.unknown() }, account, tools);
  if (account.settings.mode !== 'gateway') return;
  const { interactions_endpoint_url: url } = await fetchCurrentApplication(account, tools);
  if (url === null || url === '') return;
  tools.log.warn({}, 'Discord posts commands and buttons elsewhere: they do not come over the gateway');
}

const SLASH = 1;
const TEXT = 3;
/** In servers, and in direct conversations with the bot. */
const CONTEXTS = [0, 1];
const SERVERS = [0];
const LONGEST_QUESTION = 4_000;

const localizations = (de: string, es: string, fr: string) => ({ de, 'es-ES': es, 'es-419': es, fr });
const humanLabel = (language: string) => offerTexts(language).human;

/** What people can give as a command. Discord calls them by these names in every language. */
const slashCommands = [
  {
    type: SLASH,
    name: 'ask',
    description: 'Ask a question',
    description_localizations: localizations(
      'Eine Frage stellen',
      'Hacer una pregunta',
      'Poser une question',
    ),
    contexts: CONTEXTS,
    integration_types: SERVERS,
    options: [
      {
        type: TEXT,
        name: 'question',
        description: 'What you want to know',
        description_localizations: localizations(
          'Was du wissen willst',
          'Lo que quieres saber',
          'Ce que tu veux savoir',
        ),
        required: true,
        max_length: LONGEST_QUESTION,
      },
    ],
  },
  {
    type: SLASH,
    name: 'human',
    description: humanLabel('en'),
    description_localizations: localizations(humanLabel('de'), humanLabel('es'), humanLabel('fr')),
    contexts: CONTEXTS,
    integration_types: SERVERS,
    options: [
      {
        type: TEXT,
        name: 'message',
        description: 'What it is about',
        description_localizations: localizations('Worum es geht', 'De qué se trata', 'De quoi il s’agit'),
        required: false,
        max_length: LONGEST_QUESTION,
      },
    ],
  },
] as const satisfies readonly RESTPostAPIChatInputApplicationCommandsJSONBody[];

/** One bot in many servers, each of which may be of a workspace of its own. */
export const tenancy: Tenancy<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  tenantOf: ({ settings }) => settings.guild_id ?? null,
  oauth: null,
};
