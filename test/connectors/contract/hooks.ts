import { discordHooks } from '../discord/contract-hooks.ts';
import { emailHooks } from '../email/contract-hooks.ts';
import { intercomHooks } from '../intercom/contract-hooks.ts';
import { slackHooks } from '../slack/contract-hooks.ts';
import { telegramHooks } from '../telegram/contract-hooks.ts';
import { smsHooks, whatsappHooks } from '../twilio/contract-hooks.ts';
import { voiceHooks } from '../twilio/voice/contract-hooks.ts';
import type { ContractHooks } from './contract-hooks.ts';

/** By channel: one that is registered without them fails its contract. */
export const hooks: Readonly<Record<string, ContractHooks>> = {
  slack: slackHooks,
  discord: discordHooks,
  telegram: telegramHooks,
  whatsapp: whatsappHooks,
  sms: smsHooks,
  voice: voiceHooks,
  email: emailHooks,
  intercom: intercomHooks,
};
