import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const oauth = z.object({
  client_id: z.string().min(1).describe('Client id of the application that is registered with the provider.'),
  client_secret: z
    .string()
    .optional()
    .describe('Client secret of the application, if it has one.')
    .meta({ format: 'password' }),
  refresh_token: z
    .string()
    .optional()
    .describe('Refresh token of the mailbox owner. Without it, the client credentials grant is used.')
    .meta({ format: 'password' }),
  token_url: z
    .url({ protocol: /^https?$/ })
    .describe("Token endpoint of the provider, for example Google's https://oauth2.googleapis.com/token."),
  scope: z.string().optional().describe('Scope to request, if the provider needs one.'),
});

const server = z.object({
  host: z.string().min(1).describe('Host name of the server.'),
  port: z.int().min(1).max(65_535).describe('Port, usually 993 for IMAP and 465 or 587 for SMTP.'),
  secure: z
    .boolean()
    .default(true)
    .describe(
      'Whether encryption is mandatory. If false, the connection is encrypted only if the server offers it.',
    ),
  user: z.string().min(1).describe('User name, usually the address of the mailbox.'),
  pass: z
    .string()
    .min(1)
    .optional()
    .describe('Password, or an app password.')
    .meta({ format: 'password', title: 'Password' }),
  oauth: oauth.optional().describe('OAuth 2.0 grant, instead of a password.').meta({ title: 'OAuth' }),
});

const hasOneKey = ({ pass, oauth: grant }: z.infer<typeof server>) =>
  (pass === undefined) !== (grant === undefined);
const keyed = server.refine(hasOneKey, 'Set either pass or oauth.');

const credentials = z.object({
  imap: keyed.describe('IMAP server that receives mail.').meta({ title: 'Incoming mail (IMAP)' }),
  smtp: keyed.describe('SMTP server that sends mail.').meta({ title: 'Outgoing mail (SMTP)' }),
});

const settings = commonSettings.extend({
  from: z.email().describe('Address that visitors write to, and the sender of answers.'),
  name: z.string().max(100).optional().describe('Name of the sender in answers.'),
  mailbox: z.string().min(1).default('INBOX').describe('Folder to read.'),
  aliases: z
    .array(z.email())
    .default([])
    .describe('Further addresses of the same mailbox. Mail from them is treated as sent by the mailbox.'),
  colleagues: z
    .array(z.string().regex(/@/, 'Write an address, or @ and a domain.'))
    .default([])
    .describe('Addresses, or @domain, of the team. Their mails in a thread are replies of an agent.'),
  plus_addressing: z
    .boolean()
    .default(true)
    .describe(
      'Whether mail to name+anything@domain reaches the mailbox. It is used to match replies to their thread.',
    ),
  authserv_id: z
    .string()
    .optional()
    .describe(
      'Name that your mail host puts into Authentication-Results. Only these headers verify a sender.',
    ),
  mark_seen: z.boolean().default(true).describe('Whether a mail is marked as read after it is received.'),
  quote: z.boolean().default(false).describe("Whether an answer quotes the visitor's mail."),
  max_bytes: z
    .int()
    .min(10_000)
    .max(50_000_000)
    .default(10_000_000)
    .describe('Size limit in bytes. Of a larger mail, only the headers and the text are read.'),
  sends_per_minute: z
    .int()
    .min(1)
    .max(6_000)
    .default(30)
    .describe('Mails per minute that the SMTP server accepts from one mailbox. 30 for Google and Microsoft.'),
});

export type MailServer = z.infer<typeof server>;
export type OauthGrant = z.infer<typeof oauth>;
type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type EmailAccount = Account<Credentials, Settings>;

const HOUR_MS = 3_600_000;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'email',
  credentials,
  settings,
  limits: { textChars: 100_000 },
  replyLimits: {
    perConversation: { count: 10, withinMs: 24 * HOUR_MS },
    perSender: { count: 15, withinMs: HOUR_MS },
  },
};
