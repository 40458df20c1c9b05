import type { Telegram } from 'telegraf/types';
import type { z } from 'zod';
import { callTelegram } from './call-telegram.ts';
import { refusalError } from './refusal.ts';

type CallArguments<Method extends keyof Telegram, Result extends z.ZodType> = Parameters<
  typeof callTelegram<Method, Result>
>;

/** Calls a method that nothing can be done about where it is refused. */
export async function demandTelegram<Method extends keyof Telegram, Result extends z.ZodType>(
  ...[call, account, tools]: CallArguments<Method, Result>
): Promise<z.infer<Result>> {
  const outcome = await callTelegram(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal, tools.now());
}
