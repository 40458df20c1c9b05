import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { expectPlatform, optionalField } from '../shared/http.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { callTelegramOrThrow } from './api-client.ts';
import { intakeMode, type TelegramAccount } from './manifest.ts';
import { allowedUpdates } from './payloads.ts';

const result = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  can_read_all_group_messages: optionalField(z.boolean()),
});

export async function probe(account: TelegramAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const bot = await expectPlatform('Telegram', account, () =>
    callTelegramOrThrow({ method: 'getMe', params: {}, result }, account, tools),
  );
  return {
    id: bot.id,
    username: bot.username,
    name: bot.first_name,
    can_read_all_group_messages: bot.can_read_all_group_messages ?? false,
  };
}

const MAX_CONNECTIONS = 40;

/** Registers the webhook with the account's secret. */
export async function registerWebhook(account: TelegramAccount, tools: Tools): Promise<void> {
  const { webhookUrl: url, settings, secret } = account;
  if (url === null) {
    throw new ConnectorError(
      'Webhooks from Telegram require a public address. Set PUBLIC_URL, or use mode=polling.',
      {
        advice: { retry: 'never' },
      },
    );
  }
  const params = {
    url,
    secret_token: secret,
    allowed_updates: allowedUpdates,
    max_connections: settings.max_connections ?? MAX_CONNECTIONS,
  };
  await callTelegramOrThrow({ method: 'setWebhook', params, result: z.unknown() }, account, tools);
}

/** Deletes the webhook. With polling nothing is deleted, because a webhook would then belong to somebody else. */
export async function unregisterWebhook(account: TelegramAccount, tools: Tools): Promise<void> {
  if (intakeMode(account) !== 'webhook') return;
  await callTelegramOrThrow({ method: 'deleteWebhook', params: {}, result: z.unknown() }, account, tools);
}

/** Registers the commands of the bot's menu in each language. */
export async function prepare(account: TelegramAccount, tools: Tools): Promise<void> {
  for (const { language, commands } of commandLists) {
    const params = { commands, ...(language === null ? {} : { language_code: language }) };
    await callTelegramOrThrow({ method: 'setMyCommands', params, result: z.unknown() }, account, tools);
  }
}

interface Command {
  readonly command: string;
  readonly description: string;
}

const commands = (language: string, start: string, help: string): Command[] => [
  { command: 'start', description: start },
  { command: 'human', description: offerTexts(language).human },
  { command: 'help', description: help },
];

/** The commands of the bot's menu by language. The first list is for all other languages. */
const commandLists: readonly { readonly language: string | null; readonly commands: Command[] }[] = [
  { language: null, commands: commands('en', 'Begin', 'What I can do') },
  { language: 'en', commands: commands('en', 'Begin', 'What I can do') },
  { language: 'de', commands: commands('de', 'Beginnen', 'Was ich kann') },
  { language: 'es', commands: commands('es', 'Empezar', 'Qué puedo hacer') },
  { language: 'fr', commands: commands('fr', 'Commencer', 'Ce que je sais faire') },
];
