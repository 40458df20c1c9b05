import type { Opts, Telegram } from 'telegraf/types';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { optionalField, parseJson, platformError, retryAdvice, unreachableError } from '../shared/http.ts';
import type { TelegramAccount } from './manifest.ts';

type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

interface Call<Method extends keyof Telegram, Result extends z.ZodType> {
  readonly method: Method;
  readonly params: Opts<Method>;
  /** The schema of the used response fields. */
  readonly result: Result;
  readonly timeoutMs?: number;
}

const HOME = 'https://api.telegram.org';
const TIMEOUT_MS = 30_000;
const BAD_GATEWAY = 502;

const responseSchema = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.int(),
    description: optionalField(z.string()),
    parameters: optionalField(
      z.object({ retry_after: optionalField(z.number()), migrate_to_chat_id: optionalField(z.int()) }),
    ),
  }),
]);

/**
 * Calls a method of the Bot API and returns its result or refusal. Throws a ConnectorError if Telegram cannot be reached or
 * its response cannot be parsed.
 */
export async function callTelegram<Method extends keyof Telegram, Result extends z.ZodType>(
  call: Call<Method, Result>,
  account: TelegramAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const response = await post(call, account, tools);
  const parsed = responseSchema.safeParse(parseJson(response.body));
  if (!parsed.success) throw unexpectedResponseError(response, tools.now());
  if (parsed.data.ok) return { ok: true, result: parseResult(call, parsed.data.result) };
  const { error_code, description, parameters } = parsed.data;
  return {
    ok: false,
    refusal: {
      code: error_code,
      message: description ?? `Telegram refused with code ${error_code}.`,
      retryAfterS: parameters?.retry_after ?? null,
      movedTo: parameters?.migrate_to_chat_id ?? null,
    },
  };
}

/** Returns the base address of the Bot API without a trailing slash. */
export function apiBaseUrl({ settings }: TelegramAccount): string {
  return (settings.api_base_url ?? HOME).replace(/(?<!\/)\/+$/, '');
}

/** Telegram requires the token in the address, so no error may contain the address. */
async function post(
  {
    method,
    params,
    timeoutMs = TIMEOUT_MS,
  }: Pick<Call<keyof Telegram, z.ZodType>, 'timeoutMs'> & { method: string; params: unknown },
  account: TelegramAccount,
  { fetch, signal }: CallTools,
) {
  const { credentials } = account;
  try {
    return await withDeadline({ timeoutMs, signal }, async (deadline) => {
      const response = await fetch(`${apiBaseUrl(account)}/bot${credentials.bot_token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(params),
        redirect: 'error',
        signal: deadline,
      });
      const body = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, body };
    });
  } catch (error) {
    throw unreachableError('Telegram', error, [credentials.bot_token]);
  }
}

/**
 * Returns the error for a response outside Telegram's format. A 4xx without that format comes from a proxy, so it counts as
 * a bad gateway, which is temporary, and not as a refusal by Telegram.
 */
function unexpectedResponseError(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  now: Date,
): ConnectorError {
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  const message = `The response with status ${status} is not in Telegram's format.`;
  const { advice, account } = platformError(
    message,
    { status: isRefusal ? BAD_GATEWAY : status, headers },
    now,
  );
  return new ConnectorError(message, { advice, account, foreign: status < 500 && status !== 429 });
}

function parseResult<Result extends z.ZodType>(
  call: { method: string; result: Result },
  value: unknown,
): z.infer<Result> {
  const parsed = call.result.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConnectorError(`Telegram's response to ${call.method} cannot be parsed.`, {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}

type CallArguments<Method extends keyof Telegram, Result extends z.ZodType> = Parameters<
  typeof callTelegram<Method, Result>
>;

/** Calls a method and throws a ConnectorError for every refusal. */
export async function callTelegramOrThrow<Method extends keyof Telegram, Result extends z.ZodType>(
  ...[call, account, tools]: CallArguments<Method, Result>
): Promise<z.infer<Result>> {
  const outcome = await callTelegram(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal, tools.now());
}

/** An error response of the Bot API. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly retryAfterS: number | null;
  /** The id of the supergroup that the group was upgraded to. */
  readonly movedTo: number | null;
}

/** Telegram responds with 401 for a revoked token, and with 404 for a malformed one. */
const isAccountRefused = ({ code, message }: Refusal) =>
  code === 401 || (code === 404 && !message.includes('method'));

/**
 * Telegram responds with 403 if the bot was blocked or removed, or if the user is deactivated, and with 400 for a deleted
 * chat or topic. An event of the chat makes the conversation reachable again.
 */
const isUnreachable = ({ code, message }: Refusal) =>
  code === 403 || (code === 400 && /chat not found|message thread not found|TOPIC_DELETED/.test(message));

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { code, message, retryAfterS } = refusal;
  const retryAfter = retryAfterS === null ? null : String(retryAfterS);
  return new ConnectorError(message, {
    advice: retryAdvice({ status: code, retryAfter }, now),
    account: isAccountRefused(refusal),
    unreachable: isUnreachable(refusal),
  });
}

/** The result of a call. A refusal is a value and not an exception because callers can recover from some of them. */
type CallOutcome<Result extends z.ZodType> =
  | { readonly ok: true; readonly result: z.infer<Result> }
  | { readonly ok: false; readonly refusal: Refusal };
