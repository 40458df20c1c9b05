import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const credentials = z.object({
  bot_token: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'A bot token is a number, a colon and a key, as BotFather gives it.')
    .describe('The token that BotFather gave for the bot.'),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['webhook', 'polling'])
    .optional()
    .describe(
      'How updates come: posted by Telegram, or asked for. Without it they are posted where this installation can be reached.',
    ),
  buttons: z
    .boolean()
    .optional()
    .describe('Whether answers have buttons for 👍, 👎 and a person under them; true unless said.'),
  streaming: z
    .boolean()
    .optional()
    .describe(
      'Whether answers of a language model are shown in private chats while they are made; false unless said.',
    ),
  pace: z
    .boolean()
    .optional()
    .describe(
      "Whether messages keep to Telegram's limits by themselves; true unless said. False is for a server of your own without limits.",
    ),
  max_connections: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('How many updates Telegram may post at once; 40 unless said.'),
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

/** Telegram itself posts to https only; a server of one's own, or a proxy, may post to anything. */
export function intakeMode({ settings, webhookUrl }: TelegramAccount): 'webhook' | 'listener' {
  if (settings.mode !== undefined) return settings.mode === 'webhook' ? 'webhook' : 'listener';
  const canBeReached = webhookUrl?.startsWith('https://') || settings.api_base_url !== undefined;
  return webhookUrl !== null && canBeReached ? 'webhook' : 'listener';
}
