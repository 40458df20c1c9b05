import type { Manifest } from '../../../core/contract/connector.ts';
import { type TwilioAccount, twilioCredentials, twilioSettings } from '../account.ts';
import { replyLimits } from '../messaging/medium.ts';

export const manifest: Manifest<TwilioAccount['credentials'], TwilioAccount['settings']> = {
  contract: 1,
  channel: 'sms',
  credentials: twilioCredentials,
  settings: twilioSettings,
  limits: { textChars: 1_600 },
  replyLimits,
};
