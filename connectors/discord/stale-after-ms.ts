import type { DiscordAccount } from './manifest.ts';

/** Twice as long as from one heartbeat to the next, and a little more. Where Discord posts, its silence means nothing. */
const SILENCE_MS = 90_000;

export function staleAfterMs({ settings }: DiscordAccount): number | null {
  return settings.mode === 'gateway' ? SILENCE_MS : null;
}
