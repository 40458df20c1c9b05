import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type LimitScope } from '../../core/contract/connector-error.ts';
import { optionalField, parseJson, retryAdvice, unreachableError } from '../shared/http.ts';
import type { DiscordAccount } from './manifest.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

interface Call<Result extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path after the version prefix. */
  readonly path: string;
  readonly body?: object;
  /** The schema of the used response fields. */
  readonly result: Result;
  /** An interaction token, which is part of the path and replaces the bot token. */
  readonly token?: string;
  /** The response timeout; ten seconds by default. */
  readonly timeoutMs?: number;
}

/** The result of a call. A refusal is a value and not an exception because callers can recover from some codes. */
type CallOutcome<Result extends z.ZodType> =
  | { readonly ok: true; readonly result: z.infer<Result> }
  | { readonly ok: false; readonly refusal: Refusal };

const HOME = 'https://discord.com/api';
const VERSION = '/v10';
const TIMEOUT_MS = 10_000;
/** Shorter rate limit delays are waited for in place; longer ones are left to the outbox. */
const MAX_INLINE_DELAY_MS = 1_500;

const refusalSchema = z.object({
  message: optionalField(z.string()),
  code: optionalField(z.int()),
  retry_after: optionalField(z.number()),
  global: optionalField(z.boolean()),
});

/**
 * Calls the REST API and returns its result or refusal. Throws a ConnectorError if Discord cannot be reached, if its response
 * cannot be parsed, or if a known rate limit delays the call for longer than 1.5 s.
 */
export async function callDiscord<Result extends z.ZodType>(
  call: Call<Result>,
  account: DiscordAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const route = rateLimitRoute(call.method, call.path);
  // Discord does not count calls with an interaction token against the bot's global limit.
  const limits = call.token === undefined ? [GLOBAL_ROUTE, route] : [route];
  await waitForRateLimit(limits, account, tools);
  const response = await send(call, account, tools);
  const body = parseJson(response.body);
  const refused = response.ok ? null : (refusalSchema.safeParse(body).data ?? null);
  const isGlobal = refused?.global === true || response.headers.get('x-ratelimit-global') === 'true';
  recordRateLimit(account, { route, headers: response.headers, isGlobal, now: tools.now() });
  if (response.ok) return { ok: true, result: parseResult(call, body ?? null) };
  const { status, headers } = response;
  return {
    ok: false,
    refusal: {
      status,
      code: refused?.code ?? 0,
      message: refused?.message ?? `Discord responded with status ${status}.`,
      retryAfter: refused?.retry_after?.toString() ?? headers.get('retry-after'),
      limited: limitScope(refused !== null, isGlobal),
      asBot: call.token === undefined,
      foreign: refused?.message == null,
    },
  };
}

/** A 429 without Discord's own body comes from a proxy, and its scope is unknown. */
function limitScope(isDiscord: boolean, isGlobal: boolean): LimitScope {
  if (isGlobal) return 'account';
  return isDiscord ? 'conversation' : 'unsaid';
}

/** Calls the REST API and throws a ConnectorError for every refusal. */
export async function callDiscordOrThrow<Result extends z.ZodType>(
  call: Call<Result>,
  account: DiscordAccount,
  tools: CallTools,
): Promise<z.infer<Result>> {
  const outcome = await callDiscord(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal, tools.now());
}

async function waitForRateLimit(
  limits: readonly string[],
  account: DiscordAccount,
  { now, signal }: CallTools,
) {
  const at = now();
  const afterMs = rateLimitDelayMs(account, limits, at);
  if (afterMs === 0) return;
  if (afterMs > MAX_INLINE_DELAY_MS) {
    const isGlobal =
      limits.includes(GLOBAL_ROUTE) && rateLimitDelayMs(account, [GLOBAL_ROUTE], at) === afterMs;
    throw new ConnectorError('Discord rate limit reached.', {
      advice: { retry: 'after', afterMs, limited: limitScope(true, isGlobal) },
    });
  }
  await wait(afterMs, undefined, { signal });
}

/** Interaction tokens are part of the address, so no error may contain the address. */
async function send(
  { method, path, body, token, timeoutMs = TIMEOUT_MS }: Call<z.ZodType>,
  { credentials, settings }: DiscordAccount,
  { fetch, signal }: CallTools,
) {
  const base = (settings.api_base_url ?? HOME).replace(/(?<!\/)\/+$/, '') + VERSION;
  try {
    return await withDeadline({ timeoutMs, signal }, async (deadline) => {
      const response = await fetch(base + path, {
        method,
        headers: {
          'user-agent': 'DiscordBot (parley, 1)',
          ...(token === undefined && { authorization: `Bot ${credentials.bot_token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: deadline,
      });
      const { ok, status, headers } = response;
      return { ok, status, headers, body: new Uint8Array(await response.arrayBuffer()) };
    });
  } catch (error) {
    const secrets = [...Object.values(credentials), ...(token === undefined ? [] : [token])];
    throw unreachableError('Discord', error, secrets);
  }
}

function parseResult<Result extends z.ZodType>(
  { method, path, token, result }: Call<Result>,
  value: unknown,
) {
  const parsed = result.safeParse(value);
  if (parsed.success) return parsed.data;
  const maskedPath = token === undefined ? path : path.replace(token, '[secret]');
  throw new ConnectorError(`Discord's response to ${method} ${maskedPath} cannot be parsed.`, {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}

interface RateLimitResponse {
  readonly route: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Whether the limit applies to all routes. */
  readonly isGlobal: boolean;
  readonly now: Date;
}

/** The key of the bot's global limit. */
const GLOBAL_ROUTE = 'everything';

/** The end of each limit in milliseconds, by account and route. Limits that other processes received are not known here. */
const limitsByAccount = new WeakMap<DiscordAccount, Map<string, number>>();

/** Records the rate limit of a response: the route has no calls left, or all routes are limited. */
function recordRateLimit(
  account: DiscordAccount,
  { route, headers, isGlobal, now }: RateLimitResponse,
): void {
  const isExhausted = headers.get('x-ratelimit-remaining') === '0';
  const seconds = Number(headers.get(isGlobal ? 'retry-after' : 'x-ratelimit-reset-after'));
  if (!(isExhausted || isGlobal) || !(seconds > 0)) return;
  const limits = limitsByAccount.get(account) ?? new Map<string, number>();
  const time = now.getTime();
  for (const [key, until] of limits) if (until <= time) limits.delete(key);
  limits.set(isGlobal ? GLOBAL_ROUTE : route, time + Math.ceil(seconds * 1_000));
  limitsByAccount.set(account, limits);
}

/** Returns the milliseconds until all these limits have ended; 0 if none applies. */
function rateLimitDelayMs(account: DiscordAccount, names: readonly string[], now: Date): number {
  const limits = limitsByAccount.get(account);
  const until = Math.max(...names.map((name) => limits?.get(name) ?? 0));
  return Math.max(0, until - now.getTime());
}

/** Returns the limited route: Discord counts by channel, server and application, not by message. */
function rateLimitRoute(method: string, path: string): string {
  return `${method} ${path.replace(/(\/messages)\/[^/]+/, '$1/:id').replace(/\?.*/s, '')}`;
}

/** An error response of the REST API. */
export interface Refusal {
  readonly status: number;
  /** Discord's error code: 50013 is a missing permission, 10008 an unknown message. 0 if the response has none. */
  readonly code: number;
  readonly message: string;
  readonly retryAfter: string | null;
  /** The scope of a 429. */
  readonly limited: LimitScope;
  /** Whether the call used the bot token. */
  readonly asBot: boolean;
  /** Whether the response lacks the `message` of Discord's error format. */
  readonly foreign?: boolean;
}

/**
 * 10003: the channel is deleted. 50001: the bot has no access to it. 50007: the user blocks the bot, shares no server with it
 * or accepts no direct messages. 50083: the thread is archived or locked.
 */
const UNREACHABLE = [10_003, 50_001, 50_007, 50_083];

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { status, code, message, retryAfter, limited, asBot } = refusal;
  const foreign = refusal.foreign === true && status < 500 && status !== 429;
  const advice = retryAdvice({ status, retryAfter, limited }, now);
  const unreachable = UNREACHABLE.includes(code);
  return new ConnectorError(message, { advice, account: asBot && status === 401, unreachable, foreign });
}
