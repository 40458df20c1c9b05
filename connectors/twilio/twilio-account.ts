import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import { commonSettings } from '../shared/common-settings.ts';

export const twilioCredentials = z.object({
  account_sid: z
    .string()
    .regex(
      /^AC[0-9a-fA-F]{32}$/,
      'An account sid is AC and 32 hexadecimal digits, as the Twilio Console shows it.',
    )
    .describe('The sid of the Twilio account, or of the subaccount that the number belongs to.'),
  auth_token: z
    .string()
    .min(1)
    .describe('The auth token of that account: calls are made with it, and webhooks are checked by it.'),
});

export const twilioSettings = commonSettings.extend({
  from: z
    .string()
    .regex(
      /^(\+[1-9]\d{3,14}|MG[0-9a-fA-F]{32})$/,
      'A number is written as +15551234567, a messaging service as MG and 32 hexadecimal digits.',
    )
    .describe(
      'The number that visitors write to or call, as +15551234567, or the sid of a messaging service.',
    ),
});

type Credentials = z.infer<typeof twilioCredentials>;
type Settings = z.infer<typeof twilioSettings>;

/** What the channels of Twilio have in common; each adds settings of its own. */
export type TwilioAccount<Own extends Settings = Settings> = Account<Credentials, Own>;
