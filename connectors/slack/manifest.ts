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
      .describe('The bot user OAuth token (xoxb-…). Optional for an app that teams install by OAuth.')
      .meta({ format: 'password' }),
    signing_secret: z
      .string()
      .min(1)
      .optional()
      .describe('The signing secret of the app. Slack signs its requests with it.')
      .meta({ format: 'password' }),
    app_token: z
      .string()
      .regex(/^xapp-[\w-]+$/, 'An app-level token begins with xapp-.')
      .optional()
      .describe('An app-level token (xapp-…) with connections:write, for socket mode.')
      .meta({ format: 'password' }),
    client_id: z.string().min(1).optional().describe('The client id of the app, for installation by OAuth.'),
    client_secret: z
      .string()
      .min(1)
      .optional()
      .describe('The client secret of the app, for installation by OAuth.')
      .meta({ format: 'password' }),
  })
  .refine(({ signing_secret, app_token }) => signing_secret !== undefined || app_token !== undefined, {
    message: 'Set signing_secret to receive webhooks, or app_token to use socket mode.',
    path: ['signing_secret'],
  })
  .refine(
    ({ bot_token, client_id, client_secret }) =>
      bot_token !== undefined || (client_id !== undefined && client_secret !== undefined),
    {
      message: 'Set bot_token, or client_id and client_secret if teams install the app by OAuth.',
      path: ['bot_token'],
    },
  );

const prompt = z.object({
  title: z.string().min(1).max(75).describe('The text that the visitor sees.'),
  message: z
    .string()
    .min(1)
    .max(2_000)
    .describe('The question that is sent when the visitor selects the prompt.'),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['events', 'socket'])
    .optional()
    .describe(
      'How events arrive: "events" for webhooks from Slack, "socket" for a socket opened with app_token. Defaults to "events", or to "socket" if there is no signing_secret.',
    ),
  direct_messages: z
    .enum(['one', 'threads'])
    .default('one')
    .describe(
      'Whether a direct message is one conversation ("one"), or each of its threads is one ("threads").',
    ),
  earlier_messages: z
    .int()
    .min(0)
    .max(50)
    .default(20)
    .describe(
      'The number of earlier messages that are read when a visitor mentions the app in an existing thread.',
    ),
  streaming: z.boolean().default(true).describe('Whether answers are shown while they are generated.'),
  pace: z
    .boolean()
    .optional()
    .describe(
      "Whether messages are paced to stay within Slack's rate limits. Defaults to true. Set false only for a server of your own without limits.",
    )
    .meta({ default: true }),
  prompts: z
    .array(prompt)
    .max(4)
    .default([])
    .describe('Questions that are suggested when a visitor opens a direct message; at most four.'),
  statuses: z
    .array(z.string().min(1).max(50))
    .max(10)
    .default(['is looking for the answer…'])
    .describe('The statuses that are shown in turn while an answer is generated.'),
  team_id: z
    .string()
    .regex(/^[A-Z]\w*$/)
    .optional()
    .describe('The team or organisation that installed the app by OAuth. The installation sets it.'),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type SlackAccount = Account<Credentials, Settings>;

/** The most Markdown that Slack accepts in one message, over all its `markdown` blocks. */
export const MAX_MARKDOWN_CHARS = 12_000;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'slack',
  credentials,
  settings,
  limits: { textChars: MAX_MARKDOWN_CHARS },
  appCredentials: ['signing_secret'],
};
