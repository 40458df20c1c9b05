import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { DiscordAccount } from './manifest.ts';
import { APPLICATION_COMMAND, type DiscordInteraction, MESSAGE_COMPONENT, parseNative } from './payloads.ts';

/** A command or button press that waits for an answer. Its token allows messages until `goodUntil`, in milliseconds. */
export const pendingInteractionSchema = z.object({
  token: z.string(),
  goodUntil: z.int(),
  /** The answer is visible only to the person who used the command. */
  isPrivate: z.literal(true).exactOptional(),
  /** The "thinking" state has been replaced. Only a private interaction is stored after that. */
  isUsed: z.literal(true).exactOptional(),
});

/** How long an interaction token is used. Discord accepts it for 15 minutes. */
export const INTERACTION_TOKEN_MS = 14.5 * 60_000;

/** The flag of a message that only one person sees. */
export const EPHEMERAL = 64;

/** Returns whether the answer is private: for a command with `private_answers`, or a press below a private answer. */
export function isPrivate(
  { type, guild_id: guild, message }: DiscordInteraction,
  { settings }: DiscordAccount,
): boolean {
  if (guild === null) return false;
  if (type === APPLICATION_COMMAND) return settings.private_answers === true;
  return ((message?.flags ?? 0) & EPHEMERAL) !== 0;
}

/** Shows "thinking" until the answer replaces it. */
const DEFERRED_MESSAGE = { type: 5 };
const DEFERRED_PRIVATE = { ...DEFERRED_MESSAGE, data: { flags: EPHEMERAL } };
/** Acknowledges a press without changing the message. */
const DEFERRED_UPDATE = { type: 6 };

/** Returns the acknowledgement, which Discord expects within three seconds; null for other events. */
export function interactionResponse(native: Json, account: DiscordAccount): { readonly type: number } | null {
  const parsed = parseNative(native);
  if (parsed.kind !== 'interaction') return null;
  const { interaction } = parsed;
  if (interaction.type === APPLICATION_COMMAND)
    return isPrivate(interaction, account) ? DEFERRED_PRIVATE : DEFERRED_MESSAGE;
  return interaction.type === MESSAGE_COMPONENT ? DEFERRED_UPDATE : null;
}

/** The actions of the buttons below an answer. */
export type ButtonAction = 'up' | 'down' | 'human';

const BUTTON_ID = /^parley:(up|down|human):(\d+(?::\d+)?)$/;

/** Returns a `custom_id` with the conversation's lane, because anyone in a channel can press it. Discord allows 100 characters. */
export function formatButtonId(press: ButtonAction, lane: string): string {
  return `parley:${press}:${lane}`;
}

export function parseButtonId(
  customId: string | null,
): { readonly press: ButtonAction; readonly lane: string } | null {
  const [, press, lane] = BUTTON_ID.exec(customId ?? '') ?? [];
  if (lane === undefined || (press !== 'up' && press !== 'down' && press !== 'human')) return null;
  return { press, lane };
}
