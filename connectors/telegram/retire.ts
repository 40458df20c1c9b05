import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { demandTelegram } from './demand-telegram.ts';
import { intakeOf } from './intake-of.ts';
import type { TelegramAccount } from './manifest.ts';

/** A webhook that is not ours, of a bot that we only asked for updates, is left alone. */
export async function retire(account: TelegramAccount, tools: Tools): Promise<void> {
  if (intakeOf(account) !== 'webhook') return;
  await demandTelegram({ method: 'deleteWebhook', params: {}, result: z.unknown() }, account, tools);
}
