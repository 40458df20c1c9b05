import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { expectPlatform } from '../shared/expect-platform.ts';
import { lenient } from '../shared/lenient.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';

const result = z.object({
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  can_read_all_group_messages: lenient(z.boolean()),
});

export async function probe(account: TelegramAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const bot = await expectPlatform('Telegram', account, () =>
    demandTelegram({ method: 'getMe', params: {}, result }, account, tools),
  );
  return {
    id: bot.id,
    username: bot.username,
    name: bot.first_name,
    can_read_all_group_messages: bot.can_read_all_group_messages ?? false,
  };
}
