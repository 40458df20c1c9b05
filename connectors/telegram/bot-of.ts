import type { TelegramAccount } from './manifest.ts';

interface Bot {
  readonly id: number;
  /** Without `@`; null until it was asked for. */
  readonly username: string | null;
}

/** Who we are. The id stands in the token: it is known before the platform was asked. */
export function botOf({ credentials, profile }: TelegramAccount): Bot {
  const username = profile.username;
  return {
    id: Number(credentials.bot_token.split(':')[0]),
    username: typeof username === 'string' ? username : null,
  };
}
