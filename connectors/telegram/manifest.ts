import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const credentials = z.object({
  bot_token: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'A bot token from BotFather is a number, a colon and a key.')
    .describe('The token of the bot from BotFather.')
    .meta({ format: 'password' }),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['webhook', 'polling'])
    .optional()
    .describe(
      'How updates arrive: "webhook" or "polling". Defaults to "webhook" if Telegram can reach this installation, otherwise to "polling".',
    ),
  buttons: z
    .boolean()
    .optional()
    .describe('Whether answers have buttons for 👍, 👎 and a person. Defaults to true.')
    .meta({ default: true }),
  streaming: z
    .boolean()
    .optional()
    .describe(
      'Whether answers of a language model are shown in private chats while they are generated. Defaults to false.',
    )
    .meta({ default: false }),
  pace: z
    .boolean()
    .optional()
    .describe(
      "Whether messages are paced to stay within Telegram's rate limits. Defaults to true. Set false only for a server of your own without limits.",
    )
    .meta({ default: true }),
  max_connections: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('The number of simultaneous webhook requests from Telegram. Defaults to 40.'),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type TelegramAccount = Account<Credentials, Settings>;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'telegram',
  credentials,
  settings,
  limits: { textChars: 4_096 },
};

/** Returns how updates arrive. Telegram sends webhooks to https only; a self-hosted server or a proxy may use any address. */
export function intakeMode({ settings, webhookUrl }: TelegramAccount): 'webhook' | 'listener' {
  if (settings.mode !== undefined) return settings.mode === 'webhook' ? 'webhook' : 'listener';
  const isReachable = webhookUrl?.startsWith('https://') || settings.api_base_url !== undefined;
  return webhookUrl !== null && isReachable ? 'webhook' : 'listener';
}
