import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const credentials = z
  .object({
    bot_token: z
      .string()
      .regex(/^xox[a-z]-[\w-]+$/, 'A bot token begins with xoxb-.')
      .optional()
      .describe('The bot user OAuth token (xoxb-…). An app that teams install by OAuth may do without.'),
    signing_secret: z
      .string()
      .min(1)
      .optional()
      .describe('The signing secret of the app, that Slack signs its requests with.'),
    app_token: z
      .string()
      .regex(/^xapp-[\w-]+$/, 'An app-level token begins with xapp-.')
      .optional()
      .describe('An app-level token (xapp-…) with connections:write, for socket mode.'),
    client_id: z
      .string()
      .min(1)
      .optional()
      .describe('The client id of the app, where teams install it by OAuth.'),
    client_secret: z.string().min(1).optional().describe('The client secret that belongs to it.'),
  })
  .refine(({ signing_secret, app_token }) => signing_secret !== undefined || app_token !== undefined, {
    message: 'Slack signs with signing_secret, or is listened to with app_token: one of them is needed.',
    path: ['signing_secret'],
  })
  .refine(
    ({ bot_token, client_id, client_secret }) =>
      bot_token !== undefined || (client_id !== undefined && client_secret !== undefined),
    {
      message: 'bot_token is needed, unless teams install the app with client_id and client_secret.',
      path: ['bot_token'],
    },
  );

const prompt = z.object({
  title: z.string().min(1).max(75).describe('What the visitor reads.'),
  message: z.string().min(1).max(2_000).describe('What is asked when he presses it.'),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['events', 'socket'])
    .optional()
    .describe(
      'How events come: posted by Slack, or over a socket that is opened with app_token. Posted unless said, or unless there is no signing_secret.',
    ),
  direct_messages: z
    .enum(['one', 'threads'])
    .default('one')
    .describe('Whether a direct message is one conversation, or each of its threads is one.'),
  earlier_messages: z
    .int()
    .min(0)
    .max(50)
    .default(20)
    .describe('How many messages of a thread are read where it is joined, by who mentions the app in it.'),
  streaming: z.boolean().default(true).describe('Whether answers are shown while they are written.'),
  pace: z
    .boolean()
    .optional()
    .describe(
      "Whether messages keep to Slack's limits by themselves; true unless said. False is for a server of your own without limits.",
    ),
  prompts: z
    .array(prompt)
    .max(4)
    .default([])
    .describe('Questions that are suggested to who opens a direct message; at most four.'),
  statuses: z
    .array(z.string().min(1).max(50))
    .max(10)
    .default(['is looking for the answer…'])
    .describe('What is shown in turn while an answer is made.'),
  team_id: z
    .string()
    .regex(/^[A-Z]\w*$/)
    .optional()
    .describe('The team, or organisation, that the app was installed in by OAuth. It is set by that.'),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type SlackAccount = Account<Credentials, Settings>;

/** What Slack takes of Markdown in one message. */
export const MAX_MARKDOWN_CHARS = 12_000;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'slack',
  credentials,
  settings,
  limits: { textChars: MAX_MARKDOWN_CHARS },
};
