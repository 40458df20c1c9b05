import { COMMAND } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import type { DiscordInteraction } from './native-schema.ts';

/** A message that one person sees alone. */
export const EPHEMERAL = 64;

/** Whether the answer is for who asks alone: a command where the operator wants that, a press under such an answer. */
export function isPrivate(
  { type, guild_id: guild, message }: DiscordInteraction,
  { settings }: DiscordAccount,
): boolean {
  if (guild === null) return false;
  if (type === COMMAND) return settings.private_answers === true;
  return ((message?.flags ?? 0) & EPHEMERAL) !== 0;
}
