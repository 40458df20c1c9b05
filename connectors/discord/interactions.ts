import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { DiscordAccount } from './manifest.ts';
import { APPLICATION_COMMAND, type DiscordInteraction, MESSAGE_COMPONENT, parseNative } from './payloads.ts';

/** A command that waits for its answer: its token is the way to say something until it is not good any more. */
export const pendingInteractionSchema = z.object({
  token: z.string(),
  goodUntil: z.int(),
  /** Of it nothing is said to anybody but who gave it. */
  isPrivate: z.literal(true).exactOptional(),
  /** "Thinking" has been replaced already; only a private one is kept after that. */
  isUsed: z.literal(true).exactOptional(),
});

/** How long the token of an interaction is good for: Discord says 15 minutes. */
export const INTERACTION_TOKEN_MS = 14.5 * 60_000;

/** A message that one person sees alone. */
export const EPHEMERAL = 64;

/** Whether the answer is for who asks alone: a command where the operator wants that, a press under such an answer. */
export function isPrivate(
  { type, guild_id: guild, message }: DiscordInteraction,
  { settings }: DiscordAccount,
): boolean {
  if (guild === null) return false;
  if (type === APPLICATION_COMMAND) return settings.private_answers === true;
  return ((message?.flags ?? 0) & EPHEMERAL) !== 0;
}

/** "Thinking", until the answer takes its place. */
const DEFERRED_MESSAGE = { type: 5 };
const DEFERRED_PRIVATE = { ...DEFERRED_MESSAGE, data: { flags: EPHEMERAL } };
/** What was pressed stays as it is. */
const DEFERRED_UPDATE = { type: 6 };

/** What Discord is to show within three seconds; null for what is no command or button. */
export function interactionResponse(native: Json, account: DiscordAccount): { readonly type: number } | null {
  const read = parseNative(native);
  if (read.kind !== 'interaction') return null;
  const { interaction } = read;
  if (interaction.type === APPLICATION_COMMAND)
    return isPrivate(interaction, account) ? DEFERRED_PRIVATE : DEFERRED_MESSAGE;
  return interaction.type === MESSAGE_COMPONENT ? DEFERRED_UPDATE : null;
}

/** What can be pressed under an answer, and what a press stands for. */
export type ButtonAction = 'up' | 'down' | 'human';

const BUTTON_ID = /^parley:(up|down|human):(\d+(?::\d+)?)$/;

/** Names the conversation too: who presses in a channel need not be who asked. At most 100 characters. */
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
