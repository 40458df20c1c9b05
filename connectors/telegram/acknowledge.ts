import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';
import { pressOf } from './press-of.ts';
import { updateSchema } from './update-schema.ts';

/** Ends the sign of waiting on a button, also on one that we do not know, and thanks for what was said. */
export async function acknowledge(native: Json, account: TelegramAccount, tools: Tools): Promise<void> {
  const press = updateSchema.safeParse(native).data?.callback_query;
  if (!press) return;
  const thanks = pressOf(press, account)?.type === 'feedback' && offerTexts(press.from.language_code).thanks;
  const params = { callback_query_id: press.id, ...(thanks && { text: thanks }) };
  await demandTelegram({ method: 'answerCallbackQuery', params, result: z.unknown() }, account, tools);
}
