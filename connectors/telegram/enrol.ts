import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { allowedUpdates } from './allowed-updates.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';

const MAX_CONNECTIONS = 40;

/** Tells Telegram where to post. */
export async function enrol(account: TelegramAccount, tools: Tools): Promise<void> {
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
  await demandTelegram({ method: 'setWebhook', params, result: z.unknown() }, account, tools);
}
