import { discordHooks } from '../discord/contract-hooks.ts';
import { intercomHooks } from '../intercom/contract-hooks.ts';
import { telegramHooks } from '../telegram/contract-hooks.ts';
import type { ContractHooks } from './contract-hooks.ts';

/** By channel: one that is registered without them fails its contract. */
export const hooks: Readonly<Record<string, ContractHooks>> = {
  discord: discordHooks,
  telegram: telegramHooks,
  intercom: intercomHooks,
};
