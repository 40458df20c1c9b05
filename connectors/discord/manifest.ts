import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';
import { snowflake } from './payloads.ts';

const credentials = z.object({
  bot_token: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'A bot token is three groups of letters with dots between them.')
    .describe('The token of the bot, from the page "Bot" of the application.'),
  application_id: snowflake.describe('The application id, from the page "General Information".'),
  public_key: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'A public key is 64 hexadecimal digits.')
    .describe('The public key, from the same page: what Discord signs interactions with.'),
});

const settings = commonSettings.extend({
  mode: z
    .enum(['gateway', 'interactions'])
    .default('gateway')
    .describe(
      'How events come: over a connection that is held open, or posted. Posted are commands and buttons only.',
    ),
  guild_id: snowflake
    .optional()
    .describe('The only server that this channel is for, where one bot serves several workspaces.'),
  threads: z
    .boolean()
    .optional()
    .describe('Whether a question in a text channel is answered in a thread made from it; true unless said.'),
  private_answers: z
    .boolean()
    .optional()
    .describe(
      'Whether a command in a server is answered for who gave it alone, for as long as Discord allows; false unless said.',
    ),
  buttons: z
    .boolean()
    .optional()
    .describe('Whether buttons for feedback and for a person stand under answers; true unless said.'),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof settings>;

export type DiscordAccount = Account<Credentials, Settings>;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'discord',
  credentials,
  settings,
  limits: { textChars: 2_000 },
};

export function intakeMode({ settings }: DiscordAccount): 'webhook' | 'listener' {
  return settings.mode === 'interactions' ? 'webhook' : 'listener';
}

/** Twice as long as from one heartbeat to the next, and a little more. Where Discord posts, its silence means nothing. */
const SILENCE_MS = 90_000;

export function staleAfterMs({ settings }: DiscordAccount): number | null {
  return settings.mode === 'gateway' ? SILENCE_MS : null;
}
