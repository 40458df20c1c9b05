import type { TwilioAccount } from '../../../../connectors/twilio/account.ts';

/** The account of the fixtures, with a number of its own. */
export function twilioAccount(changes: Partial<TwilioAccount> = {}): TwilioAccount {
  return {
    id: 'chan_twilio',
    credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'the-auth-token-of-the-account' },
    settings: { enabled: true, from: '+15551234567' },
    secret: 'the_secret_that_we_made',
    webhookUrl: 'https://parley.example/webhooks/chan_twilio',
    profile: {},
    ...changes,
  };
}
