import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { commandLists } from './commands.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';

/** Says what is to be listed in the bot's menu, in each language. */
export async function prepare(account: TelegramAccount, tools: Tools): Promise<void> {
  for (const { language, commands } of commandLists) {
    const params = { commands, ...(language === null ? {} : { language_code: language }) };
    await demandTelegram({ method: 'setMyCommands', params, result: z.unknown() }, account, tools);
  }
}
