import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Tools } from '../../core/contract/tools.ts';
import { allowedUpdates } from './allowed-updates.ts';
import { commandLists } from './commands.ts';
import { demandTelegram } from './demand-telegram.ts';
import { intakeOf } from './intake-of.ts';
import type { TelegramAccount } from './manifest.ts';

const MAX_CONNECTIONS = 40;
const result = z.unknown();

/** Tells Telegram where to post, unless it is asked for updates, and what to list in the bot's menu. */
export async function enrol(account: TelegramAccount, tools: Tools): Promise<void> {
  if (intakeOf(account) === 'webhook') await setWebhook(account, tools);
  try {
    for (const list of commandLists) await setCommands(list, account, tools);
  } catch (error) {
    // A bot without a menu answers as well.
    if (!(error instanceof ConnectorError)) throw error;
    tools.log.warn({ because: error.message }, "The menu of a bot's commands could not be set");
  }
}

async function setWebhook(account: TelegramAccount, tools: Tools): Promise<void> {
  const { webhookUrl: url, settings, secret } = account;
  if (url === null) {
    throw new ConnectorError('Telegram cannot post to an installation without a public address.', {
      advice: { retry: 'never' },
    });
  }
  const params = {
    url,
    secret_token: secret,
    allowed_updates: allowedUpdates,
    max_connections: settings.max_connections ?? MAX_CONNECTIONS,
  };
  await demandTelegram({ method: 'setWebhook', params, result }, account, tools);
}

async function setCommands(
  { language, commands }: (typeof commandLists)[number],
  account: TelegramAccount,
  tools: Tools,
): Promise<void> {
  const params = { commands, ...(language === null ? {} : { language_code: language }) };
  await demandTelegram({ method: 'setMyCommands', params, result }, account, tools);
}
