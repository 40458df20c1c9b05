import type { TelegramAccount } from './manifest.ts';

/** Telegram itself posts to https only; a server of one's own, or a proxy, may post to anything. */
export function intakeOf({ settings, webhookUrl }: TelegramAccount): 'webhook' | 'listener' {
  if (settings.mode !== undefined) return settings.mode === 'webhook' ? 'webhook' : 'listener';
  const canBeReached = webhookUrl?.startsWith('https://') || settings.api_base_url !== undefined;
  return webhookUrl !== null && canBeReached ? 'webhook' : 'listener';
}
