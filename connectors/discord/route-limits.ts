import type { DiscordAccount } from './manifest.ts';

interface Told {
  readonly route: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Whether all routes are limited. */
  readonly isGlobal: boolean;
  readonly now: Date;
}

/** The name of what holds for all that the bot does. */
export const EVERYTHING = 'everything';

/** By account, until when no more is taken, by route. What was said to another process is not known here. */
const known = new WeakMap<DiscordAccount, Map<string, number>>();

/** Notes what Discord told of a route together with an answer: that it was the last call for a while. */
export function noteLimits(account: DiscordAccount, { route, headers, isGlobal, now }: Told): void {
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  const seconds = Number(headers.get(isGlobal ? 'retry-after' : 'x-ratelimit-reset-after'));
  if (!(isUsedUp || isGlobal) || !(seconds > 0)) return;
  const limits = known.get(account) ?? new Map<string, number>();
  const time = now.getTime();
  for (const [key, until] of limits) if (until <= time) limits.delete(key);
  limits.set(isGlobal ? EVERYTHING : route, time + Math.ceil(seconds * 1_000));
  known.set(account, limits);
}

/** How long a call has to wait that counts against these; 0 for not at all. */
export function limitedForMs(account: DiscordAccount, names: readonly string[], now: Date): number {
  const limits = known.get(account);
  const until = Math.max(...names.map((name) => limits?.get(name) ?? 0));
  return Math.max(0, until - now.getTime());
}

/** Discord counts by channel, server and application, not by message. */
export function routeOf(method: string, path: string): string {
  return `${method} ${path.replace(/(\/messages)\/[^/]+/, '$1/:id').replace(/\?.*/s, '')}`;
}
