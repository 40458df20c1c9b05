import type { DiscordAccount } from './manifest.ts';

export function intakeOf({ settings }: DiscordAccount): 'webhook' | 'listener' {
  return settings.mode === 'interactions' ? 'webhook' : 'listener';
}
