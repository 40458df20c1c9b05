import type { DiscordAccount } from './manifest.ts';

/** The id of our user. It stands in the token as well: it is known before the platform was asked. */
export function botIdOf({ credentials, profile }: DiscordAccount): string {
  if (typeof profile.id === 'string') return profile.id;
  return Buffer.from(credentials.bot_token.split('.')[0] ?? '', 'base64').toString();
}
