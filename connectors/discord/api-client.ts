import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError, type LimitScope } from '../../core/contract/connector-error.ts';
import { retryAdvice, unreachableError } from '../shared/http.ts';
import { optionalField, parseJson } from '../shared/payload.ts';
import type { DiscordAccount } from './manifest.ts';

export type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

interface Call<Result extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the version. */
  readonly path: string;
  readonly body?: object;
  /** What we need of the answer. */
  readonly result: Result;
  /** Of an interaction: it stands in the path, in the place of the bot's own token. */
  readonly token?: string;
  /** For the answer; ten seconds where it is not told. */
  readonly timeoutMs?: number;
}

/** What came of a call: refusals are no exceptions, for some of them can be helped. */
type CallOutcome<Result extends z.ZodType> =
  | { readonly ok: true; readonly result: z.infer<Result> }
  | { readonly ok: false; readonly refusal: Refusal };

const HOME = 'https://discord.com/api';
const VERSION = '/v10';
const TIMEOUT_MS = 10_000;
/** Shorter waits for a limit are not worth another try. */
const WAIT_HERE_MS = 1_500;

const refusalSchema = z.object({
  message: optionalField(z.string()),
  code: optionalField(z.int()),
  retry_after: optionalField(z.number()),
  global: optionalField(z.boolean()),
});

/** Calls the REST API. Throws a ConnectorError where Discord said nothing that we understand, or is not to be asked now. */
export async function callDiscord<Result extends z.ZodType>(
  call: Call<Result>,
  account: DiscordAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const route = rateLimitRoute(call.method, call.path);
  // What is done by the token of an interaction counts for itself: the bot's own limits do not hold it up.
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
      words: refused?.message ?? `Discord answered with status ${status}.`,
      retryAfter: refused?.retry_after?.toString() ?? headers.get('retry-after'),
      limited: limitScope(refused !== null, isGlobal),
      asBot: call.token === undefined,
      foreign: refused?.message == null,
    },
  };
}

/** What keeps us from Discord itself speaks for nobody, and does not say whom it means. */
function limitScope(isDiscord: boolean, isGlobal: boolean): LimitScope {
  if (isGlobal) return 'account';
  return isDiscord ? 'conversation' : 'unsaid';
}

/** As `callDiscord`, for what nothing can be done about where it is refused. */
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
  if (afterMs > WAIT_HERE_MS) {
    const isGlobal =
      limits.includes(GLOBAL_ROUTE) && rateLimitDelayMs(account, [GLOBAL_ROUTE], at) === afterMs;
    throw new ConnectorError('Discord takes no more of these calls for a while.', {
      advice: { retry: 'after', afterMs, limited: limitScope(true, isGlobal) },
    });
  }
  await wait(afterMs, undefined, { signal });
}

/** Tokens of interactions stand in the address: no error may name that. */
async function send(
  { method, path, body, token, timeoutMs = TIMEOUT_MS }: Call<z.ZodType>,
  { credentials, settings }: DiscordAccount,
  { fetch, signal }: CallTools,
) {
  const base = (settings.api_base_url ?? HOME).replace(/(?<!\/)\/+$/, '') + VERSION;
  try {
    return await withDeadline({ timeoutMs, signal }, async (ends) => {
      const response = await fetch(base + path, {
        method,
        headers: {
          'user-agent': 'DiscordBot (parley, 1)',
          ...(token === undefined && { authorization: `Bot ${credentials.bot_token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: ends,
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
  const read = result.safeParse(value);
  if (read.success) return read.data;
  const shown = token === undefined ? path : path.replace(token, '[secret]');
  throw new ConnectorError(`Discord's answer to ${method} ${shown} is not understood.`, {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}

interface RateLimitResponse {
  readonly route: string;
  readonly headers: Pick<Headers, 'get'>;
  /** Whether all routes are limited. */
  readonly isGlobal: boolean;
  readonly now: Date;
}

/** The name of what holds for all that the bot does. */
const GLOBAL_ROUTE = 'everything';

/** By account, until when no more is taken, by route. What was said to another process is not known here. */
const limitsByAccount = new WeakMap<DiscordAccount, Map<string, number>>();

/** Notes what Discord told of a route together with an answer: that it was the last call for a while. */
function recordRateLimit(
  account: DiscordAccount,
  { route, headers, isGlobal, now }: RateLimitResponse,
): void {
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  const seconds = Number(headers.get(isGlobal ? 'retry-after' : 'x-ratelimit-reset-after'));
  if (!(isUsedUp || isGlobal) || !(seconds > 0)) return;
  const limits = limitsByAccount.get(account) ?? new Map<string, number>();
  const time = now.getTime();
  for (const [key, until] of limits) if (until <= time) limits.delete(key);
  limits.set(isGlobal ? GLOBAL_ROUTE : route, time + Math.ceil(seconds * 1_000));
  limitsByAccount.set(account, limits);
}

/** How long a call has to wait that counts against these; 0 for not at all. */
function rateLimitDelayMs(account: DiscordAccount, names: readonly string[], now: Date): number {
  const limits = limitsByAccount.get(account);
  const until = Math.max(...names.map((name) => limits?.get(name) ?? 0));
  return Math.max(0, until - now.getTime());
}

/** Discord counts by channel, server and application, not by message. */
function rateLimitRoute(method: string, path: string): string {
  return `${method} ${path.replace(/(\/messages)\/[^/]+/, '$1/:id').replace(/\?.*/s, '')}`;
}

/** What Discord says where it does not do what it was asked. */
export interface Refusal {
  readonly status: number;
  /** Discord's own: 50013 is a missing permission, 10008 a message that is gone. 0 where it told none. */
  readonly code: number;
  readonly words: string;
  readonly retryAfter: string | null;
  /** What a 429 is about. */
  readonly limited: LimitScope;
  /** Whether we showed the token of the bot. */
  readonly asBot: boolean;
  /** Whether it came without the words in which Discord refuses. */
  readonly foreign?: boolean;
}

/**
 * A channel or thread that is gone, or that we do not see any more; who blocked us, left the last server that we share, or
 * takes no messages from it; a thread that was locked.
 */
const UNREACHABLE = [10_003, 50_001, 50_007, 50_083];

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { status, code, words, retryAfter, limited, asBot } = refusal;
  const foreign = refusal.foreign === true && status < 500 && status !== 429;
  const advice = retryAdvice({ status, retryAfter, limited }, now);
  const unreachable = UNREACHABLE.includes(code);
  return new ConnectorError(words, { advice, account: asBot && status === 401, unreachable, foreign });
}
