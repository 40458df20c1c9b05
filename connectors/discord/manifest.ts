import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';
import { snowflake } from './payloads.ts';

const credentials = z.object({
  bot_token: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'A bot token has three parts with dots between them.')
    .describe('The token of the bot, from the page "Bot" of the application.')
    .meta({ format: 'password' }),
  application_id: snowflake.describe('The application id, from the page "General Information".'),
  public_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'A public key is 64 hexadecimal digits.')
    .describe('The public key, from the same page. It verifies the signatures of interactions.'),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['gateway', 'interactions'])
    .default('gateway')
    .describe(
      'How events arrive: "gateway" for a connection that Parley holds open, "interactions" for webhooks, which carry commands and button presses only.',
    ),
  guild_id: snowflake
    .optional()
    .describe('The only server of this channel, if one bot serves several workspaces.'),
  threads: z
    .boolean()
    .optional()
    .describe('Whether a question in a text channel is answered in a new thread. Defaults to true.')
    .meta({ default: true }),
  private_answers: z
    .boolean()
    .optional()
    .describe(
      'Whether the answer to a command in a server is visible only to the person who used it, for as long as Discord allows. Defaults to false.',
    )
    .meta({ default: false }),
  buttons: z
    .boolean()
    .optional()
    .describe('Whether answers have buttons for feedback and for a person. Defaults to true.')
    .meta({ default: true }),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type DiscordAccount = Account<Credentials, Settings>;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'discord',
  // The bot is the app. Servers are claimed with the operator's token alone, so no other owner chooses where it writes.
  appCredentials: ['bot_token', 'application_id', 'public_key'],
  credentials,
  settings,
  limits: { textChars: 2_000 },
};

export function intakeMode({ settings }: DiscordAccount): 'webhook' | 'listener' {
  return settings.mode === 'interactions' ? 'webhook' : 'listener';
}

/** Slightly more than two heartbeat intervals of 41 s. In the mode `interactions` silence is normal. */
const SILENCE_MS = 90_000;

export function staleAfterMs({ settings }: DiscordAccount): number | null {
  return settings.mode === 'gateway' ? SILENCE_MS : null;
}
