import { type IntercomAccount, manifest } from '../../../../connectors/intercom/manifest.ts';

/** The app and the teammate of the fixtures, as they are stored after Intercom was asked for them. */
export function intercomAccount(changes: Partial<IntercomAccount> = {}): IntercomAccount {
  return {
    id: 'chan_intercom',
    credentials: { access_token: 'dG9rOnRoZS10b2tlbg==', client_secret: 'the-secret-of-the-app' },
    settings: manifest.settings.parse({}),
    secret: 'the_secret_that_we_made',
    webhookUrl: 'https://parley.example/webhooks/chan_intercom',
    profile: {
      admin_id: '7001',
      admin_name: 'Parley',
      app_id: 'ghi7jk2l',
      app_name: 'Garden shop',
      region: 'US',
      identity_verification: false,
    },
    ...changes,
  };
}
