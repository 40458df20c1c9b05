import type { MailProblem } from './mailbox-requests.ts';
import type { MailboxChoice } from './provider-choice.tsx';

const googleAppPasswords = 'https://support.google.com/accounts/answer/185833';
const microsoftAppPasswords =
  'https://support.microsoft.com/account-billing/manage-app-passwords-for-two-step-verification-d6dc8c6d-4bf7-4851-ad95-6d07799387e9';

/** Where a provider says how to get the password that the field asks for. */
export const passwordPages: Readonly<Record<MailboxChoice, string | null>> = {
  google: googleAppPasswords,
  microsoft: microsoftAppPasswords,
  other: null,
};

/** The pages of the providers about a refusal. */
export const helpPages: Readonly<Record<MailboxChoice, Partial<Record<MailProblem, string>>>> = {
  google: {
    wrong_password: 'https://myaccount.google.com/apppasswords',
    app_password_needed: 'https://myaccount.google.com/apppasswords',
    imap_off: 'https://mail.google.com/mail/u/0/#settings/fwdandpop',
  },
  microsoft: {
    wrong_password: microsoftAppPasswords,
    app_password_needed: microsoftAppPasswords,
    passwords_off:
      'https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online',
    smtp_auth_off: 'https://aka.ms/smtp_auth_disabled',
  },
  other: {},
};
