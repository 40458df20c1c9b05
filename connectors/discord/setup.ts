import type { RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { expectPlatform, optionalField } from '../shared/http.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { type CallTools, callDiscordOrThrow } from './api-client.ts';
import type { DiscordAccount } from './manifest.ts';

/** Returns the link that adds the bot to a server. The operator puts their application id into it. */
export function guideValues(): Readonly<Record<string, string>> {
  return { invite_link: buildInviteLink('APPLICATION_ID') };
}

/** The permission bits that the bot requires. */
const PERMISSIONS = {
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  readMessageHistory: 1n << 16n,
  createPublicThreads: 1n << 35n,
  sendMessagesInThreads: 1n << 38n,
};

/** Returns the link that adds the bot to a server with its commands and exactly the required permissions. */
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

/** GATEWAY_MESSAGE_CONTENT and GATEWAY_MESSAGE_CONTENT_LIMITED; the latter is for bots in fewer than a hundred servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

/**
 * Returns the bot's profile. It checks that the credentials belong together, because Discord's later errors say less.
 */
export function probe(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Discord', account, () => profileOf(account, tools));
}

async function profileOf(account: DiscordAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const { application_id: id, public_key: key } = account.credentials;
  const application = await fetchCurrentApplication(account, tools);
  if (application.id !== id)
    throw setupError(
      `The bot token belongs to the application ${application.id}, not to ${id}. Check application_id and bot_token.`,
    );
  if (application.verify_key.toLowerCase() !== key.toLowerCase())
    throw setupError(`The public key does not belong to ${application.name}. Check public_key.`);
  if (application.bot === null)
    throw setupError(`${application.name} has no bot. Add one on the page "Bot" of the application.`);
  return {
    id: application.bot.id,
    username: application.bot.username,
    name: application.name,
    message_content: (application.flags & MESSAGE_CONTENT) !== 0,
  };
}

function setupError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
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
  return callDiscordOrThrow({ method: 'GET', path: APPLICATION_PATH, result: schema }, account, tools);
}

const APPLICATION_PATH = '/applications/@me';

/** Sets the interactions endpoint. Discord tests it at once with a PING and with a wrongly signed request. */
export async function registerWebhook(account: DiscordAccount, tools: Tools): Promise<void> {
  const { webhookUrl: url } = account;
  if (url === null) {
    throw new ConnectorError('Webhooks from Discord require a public address. Set PUBLIC_URL.', {
      advice: { retry: 'never' },
    });
  }
  await setEndpoint(url, account, tools);
}

/** Clears the interactions endpoint if it still is this channel's. */
export async function unregisterWebhook(account: DiscordAccount, tools: Tools): Promise<void> {
  const { interactions_endpoint_url: url } = await fetchCurrentApplication(account, tools);
  if (url !== null && url === account.webhookUrl) await setEndpoint(null, account, tools);
}

async function setEndpoint(url: string | null, account: DiscordAccount, tools: Tools): Promise<void> {
  const body = { interactions_endpoint_url: url };
  await callDiscordOrThrow(
    { method: 'PATCH', path: APPLICATION_PATH, body, result: z.unknown() },
    account,
    tools,
  );
}

/** Registers the commands one by one, which leaves other commands of the application unchanged. */
export async function prepare(account: DiscordAccount, tools: Tools): Promise<void> {
  const path = `/applications/${account.credentials.application_id}/commands`;
  for (const body of slashCommands)
    await callDiscordOrThrow({ method: 'POST', path, body, result: z.unknown() }, account, tools);
  if (account.settings.mode !== 'gateway') return;
  const { interactions_endpoint_url: url } = await fetchCurrentApplication(account, tools);
  if (url === null || url === '') return;
  tools.log.warn({}, 'interactions endpoint set, no commands over the gateway');
}

const CHAT_INPUT = 1;
const STRING_OPTION = 3;
/** Servers and direct messages with the bot. */
const CONTEXTS = [0, 1];
const GUILD_INSTALL = [0];
const MAX_QUESTION_CHARS = 4_000;

const localizations = (de: string, es: string, fr: string) => ({ de, 'es-ES': es, 'es-419': es, fr });
const humanLabel = (language: string) => offerTexts(language).human;

/** The slash commands. Their names are the same in every language. */
const slashCommands = [
  {
    type: CHAT_INPUT,
    name: 'ask',
    description: 'Ask a question',
    description_localizations: localizations(
      'Eine Frage stellen',
      'Hacer una pregunta',
      'Poser une question',
    ),
    contexts: CONTEXTS,
    integration_types: GUILD_INSTALL,
    options: [
      {
        type: STRING_OPTION,
        name: 'question',
        description: 'What you want to know',
        description_localizations: localizations(
          'Was du wissen willst',
          'Lo que quieres saber',
          'Ce que tu veux savoir',
        ),
        required: true,
        max_length: MAX_QUESTION_CHARS,
      },
    ],
  },
  {
    type: CHAT_INPUT,
    name: 'human',
    description: humanLabel('en'),
    description_localizations: localizations(humanLabel('de'), humanLabel('es'), humanLabel('fr')),
    contexts: CONTEXTS,
    integration_types: GUILD_INSTALL,
    options: [
      {
        type: STRING_OPTION,
        name: 'message',
        description: 'What it is about',
        description_localizations: localizations('Worum es geht', 'De qué se trata', 'De quoi il s’agit'),
        required: false,
        max_length: MAX_QUESTION_CHARS,
      },
    ],
  },
] as const satisfies readonly RESTPostAPIChatInputApplicationCommandsJSONBody[];
