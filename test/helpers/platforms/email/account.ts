import { email } from '../../../../connectors/email/email.ts';
import type { EmailAccount } from '../../../../connectors/email/manifest.ts';

interface Changes extends Partial<Omit<EmailAccount, 'credentials' | 'settings'>> {
  readonly settings?: Partial<EmailAccount['settings']>;
  readonly imap?: Partial<EmailAccount['credentials']['imap']>;
  readonly smtp?: Partial<EmailAccount['credentials']['smtp']>;
}

/** The mailbox of the fixtures. */
export function emailAccount({ settings, imap, smtp, ...changes }: Changes = {}): EmailAccount {
  const server = {
    host: '127.0.0.1',
    secure: false,
    user: 'help@shop.example',
    pass: 'a-password-for-the-tests',
  };
  return {
    id: 'chan_email',
    credentials: {
      imap: { ...server, port: 143, ...imap },
      smtp: { ...server, port: 587, ...smtp },
    },
    settings: email.manifest.settings.parse({ from: 'help@shop.example', name: 'Garden Shop', ...settings }),
    secret: 'the_secret_that_we_made',
    webhookUrl: null,
    profile: {},
    ...changes,
  };
}
