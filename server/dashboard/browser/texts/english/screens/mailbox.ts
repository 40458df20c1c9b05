import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

/** The set-up of a mailbox: the choice of the provider, the servers that were found, and what a login says. */
export const mailbox = {
  title: 'Which mailbox should answer?',
  text: 'An address and a password are enough. Servers, ports and encryption are found from the address.',
  step: 'Mailbox',
  choice: 'Where is the mailbox?',
  providers: {
    google: { name: 'Google', hint: 'Gmail, Workspace' },
    microsoft: { name: 'Microsoft 365', hint: 'Outlook, Exchange' },
    other: { name: 'Other', hint: 'With a password' },
  },
  address: {
    label: 'Address',
    hint: 'People write to it, and answers come from it.',
    missing: 'Write the address of the mailbox, such as help@shop.example.',
  },
  password: {
    google: {
      label: 'App password',
      hint: 'The 16 letters that Google makes for one program. Your own password is refused here.',
      link: 'How to get an app password',
    },
    microsoft: {
      label: 'Password or app password',
      hint: 'Microsoft refuses passwords at most mailboxes of companies. Then an administrator registers an application: see “Show all”, OAuth.',
      link: 'How to get an app password',
    },
    other: {
      label: 'Password',
      hint: 'One for both ways. Some providers want an app password; it is in their settings.',
      link: '',
    },
    missing: 'Write the password.',
  },
  name: { label: 'Shown name', hint: 'Stands beside the address in answers. May stay empty.' },
  servers: {
    label: 'Servers',
    incoming: 'Comes in by',
    outgoing: 'Goes out by',
    encryption: { tls: 'TLS', starttls: 'STARTTLS' },
    place: (host: string, port: number, encryption: string) => `${host}, ${port}, ${encryption}`,
    looking: 'Looking for the servers of this address.',
    byHand: 'set by hand',
    foundBy: {
      choice: 'by your choice',
      provider: 'known from the address',
      mx: 'known from the mail servers of the domain',
      srv: 'found in DNS (SRV)',
      autoconfig: 'found in the domain’s own configuration',
      guess: 'a usual name that answered',
    },
    none: 'Not found. Your provider names it in its help. Enter it under “Show all”.',
    elsewhere: (host: string) =>
      `DNS names ${host}, outside of the domain of the address. Go on only if that is your provider.`,
    all: (count: number) => `Show all, ${plural(count, { one: '# more field', other: '# more fields' })}`,
    less: 'Show less',
  },
  submit: 'Check and connect',
  again: 'Check again',
  anyway: 'Connect anyway',
  anywayHint: 'Nothing is stored until the check succeeds, unless you connect anyway.',
  connected: 'Connected. The channel answers nobody before it is switched on.',
  checks: {
    label: 'Checks of the mailbox',
    names: { incoming: 'The mailbox can be read', outgoing: 'Mail can be sent' },
    asking: 'Signing in',
    opened: (mails: number, unread: number) =>
      `Login accepted, ${plural(mails, { one: '# mail', other: '# mails' })}, ${number(unread)} unread. Nothing was marked as read.`,
    accepted: 'Login accepted. No mail was sent.',
    says: (words: string) => `The server says: “${words}”`,
    whatToDo: 'What to do',
    openHelp: 'Open the help page',
  },
  /** The words beside the field. */
  faults: {
    wrong_password: 'The password is refused.',
    app_password_needed: 'The provider wants an app password here.',
    passwords_off: 'The provider accepts no passwords here.',
    imap_off: 'IMAP is switched off for this mailbox.',
    smtp_auth_off: 'Sending with a password is switched off for this mailbox.',
    unknown_host: 'There is no server of this name.',
    private_host: 'This server is in a private network, where Parley does not connect.',
    no_connection: 'Nothing answers at this server and port.',
    no_tls: 'The server offers no encryption here.',
    untrusted_certificate: 'The certificate of the server is not valid for its name.',
    timeout: 'The server did not answer in time.',
    busy: 'The server refuses for now.',
    no_folder: 'The mailbox has no folder of this name.',
    other: 'The server refused.',
  },
  remedies: {
    wrong_password:
      'Compare address and password. Many providers refuse the ordinary password and want an app password.',
    app_password_needed: 'Create an app password in the security settings of the provider, and paste it.',
    passwords_off:
      'Use OAuth: an administrator registers an application, and its fields are under “Show all”.',
    imap_off: 'Switch IMAP on in the settings of the mailbox, then check again.',
    smtp_auth_off:
      'Ask the administrator to switch authenticated SMTP on for this mailbox, then check again.',
    unknown_host: 'Compare the name of the server with the help of your provider, under “Show all”.',
    private_host: 'An operator can allow it with ALLOW_PRIVATE_CHANNELS.',
    no_connection: 'Compare name and port with the help of your provider, under “Show all”.',
    no_tls: 'Usual ports with encryption are 993 for reading, and 465 or 587 for sending.',
    untrusted_certificate: 'Enter the name of the server as your provider writes it, under “Show all”.',
    timeout: 'Try it again. If it stays so, compare name and port under “Show all”.',
    busy: 'Too many connections, or a pause of the server. Try it again in a few minutes.',
    no_folder: 'Correct the folder under “Show all”. INBOX exists everywhere.',
    other: 'The words of the server say more. Its help pages may know them.',
  },
  /** The remedies in the words of a provider, where they differ. */
  providerRemedies: {
    google: {
      wrong_password:
        'Google refuses the password of the account here. Switch on 2-step verification, create an app password and paste its 16 letters.',
      app_password_needed: 'Switch on 2-step verification, create an app password and paste its 16 letters.',
      imap_off:
        'Open the settings of Gmail, “Forwarding and POP/IMAP”, and enable IMAP. In Workspace, the administrator allows it under Apps, Gmail, End user access.',
    },
    microsoft: {
      wrong_password:
        'With two-step verification, create an app password. Mailboxes of companies accept no password at all: an administrator registers an application, and its fields are under “Show all”, OAuth.',
      passwords_off:
        'Microsoft accepts no passwords for this mailbox. An administrator registers an application in Entra; its fields are under “Show all”, OAuth.',
      smtp_auth_off:
        'The administrator switches it on in the Microsoft 365 admin center: the user, Mail, Manage email apps, Authenticated SMTP. The tenant may forbid it as a whole.',
    },
  },
  promise: {
    title: 'What happens then',
    lines: [
      'Mails that come in after you switch it on are answered.',
      'Mails that are in the mailbox now stay unanswered, read or not.',
      'A new mail is marked as read once it was received. None is moved or deleted.',
      'Newsletters, bounces and automatic replies are not answered.',
    ],
  },
};
