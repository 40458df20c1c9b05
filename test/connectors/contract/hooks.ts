import { discordHooks } from '../discord/contract-hooks.ts';
import { emailHooks } from '../email/contract-hooks.ts';
import { intercomHooks } from '../intercom/contract-hooks.ts';
import { slackHooks } from '../slack/contract-hooks.ts';
import { telegramHooks } from '../telegram/contract-hooks.ts';
import { smsHooks, whatsappHooks } from '../twilio/contract-hooks.ts';
import { voiceHooks } from '../twilio/voice/contract-hooks.ts';
import type { ContractHooks, OwnChannelHooks } from './contract-hooks.ts';

/** By channel: one that is registered without them fails its contract. */
export const hooks: Readonly<Record<string, ContractHooks | OwnChannelHooks>> = {
  slack: slackHooks,
  discord: discordHooks,
  telegram: telegramHooks,
  whatsapp: whatsappHooks,
  sms: smsHooks,
  voice: voiceHooks,
  email: emailHooks,
  intercom: intercomHooks,
  widget: ownChannel({ allowed_domains: ['shop.example'], title: 'Questions?' }),
  hosted: ownChannel({ slug: 'shop' }),
};

function ownChannel(settings: object): OwnChannelHooks {
  const account = { id: 'chan_1', credentials: {}, settings, secret: 's', webhookUrl: null, profile: {} };
  return { intake: 'none', account };
}
