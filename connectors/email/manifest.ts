import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const oauth = z.object({
  client_id: z.string().min(1).describe('Of the application that is registered with the provider.'),
  client_secret: z.string().optional().describe('Of the application, where it has one.'),
  refresh_token: z
    .string()
    .optional()
    .describe('What the owner of the mailbox granted; without it the application speaks for itself.'),
  token_url: z
    .url({ protocol: /^https?$/ })
    .describe("Where access tokens are given: Google's https://oauth2.googleapis.com/token, or Microsoft's."),
  scope: z.string().optional().describe('What is asked for, where the provider wants to be told.'),
});

const server = z.object({
  host: z.string().min(1).describe('The name of the server.'),
  port: z.int().min(1).max(65_535).describe('Usually 993 for IMAP, 465 or 587 for SMTP.'),
  secure: z
    .boolean()
    .default(true)
    .describe('Whether the connection must be encrypted; if not, it is where the server offers it.'),
  user: z.string().min(1).describe('Usually the address of the mailbox.'),
  pass: z.string().min(1).optional().describe('The password, or an app password.'),
  oauth: oauth.optional().describe('In place of a password.'),
});

const hasOneKey = ({ pass, oauth: grant }: z.infer<typeof server>) =>
  (pass === undefined) !== (grant === undefined);
const keyed = server.refine(hasOneKey, 'Either a password or oauth is wanted');

const credentials = z.object({
  imap: keyed.describe('Where mail is read.'),
  smtp: keyed.describe('Where mail is sent.'),
});

const settings = commonSettings.extend({
  from: z.email().describe('The address that people write to, and that answers come from.'),
  name: z.string().max(100).optional().describe('The name beside the address in answers.'),
  mailbox: z.string().min(1).default('INBOX').describe('The folder that is read.'),
  aliases: z
    .array(z.email())
    .default([])
    .describe('Further addresses of the same mailbox: what comes from them is our own.'),
  colleagues: z
    .array(z.string().regex(/@/, 'An address, or @ and a domain'))
    .default([])
    .describe(
      'Addresses, or @domain, of people of the team: their mails in a thread are answers of a person.',
    ),
  plus_addressing: z
    .boolean()
    .default(true)
    .describe('Whether mail to name+anything@domain reaches the mailbox: answers to ours are told by that.'),
  authserv_id: z
    .string()
    .optional()
    .describe(
      'The name under which the own mail host writes Authentication-Results: a sender is verified by these alone.',
    ),
  mark_seen: z.boolean().default(true).describe('Whether a mail is marked as read once it was taken.'),
  quote: z.boolean().default(false).describe('Whether an answer repeats the mail that it answers.'),
  max_bytes: z
    .int()
    .min(10_000)
    .max(50_000_000)
    .default(10_000_000)
    .describe('Of a larger mail only its headers and its text are read.'),
  sends_per_minute: z
    .int()
    .min(1)
    .max(6_000)
    .default(30)
    .describe('As many mails the SMTP server takes of one mailbox: 30 at Google and Microsoft.'),
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
