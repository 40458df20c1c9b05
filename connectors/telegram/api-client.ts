import type { Opts, Telegram } from 'telegraf/types';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { platformError, retryAdvice, unreachableError } from '../shared/http.ts';
import { optionalField, parseJson } from '../shared/payload.ts';
import type { TelegramAccount } from './manifest.ts';

type CallTools = Pick<Tools, 'fetch' | 'signal' | 'now'>;

interface Call<Method extends keyof Telegram, Result extends z.ZodType> {
  readonly method: Method;
  readonly params: Opts<Method>;
  /** What we need of the answer. */
  readonly result: Result;
  readonly timeoutMs?: number;
}

const HOME = 'https://api.telegram.org';
const TIMEOUT_MS = 30_000;
const BAD_GATEWAY = 502;

const answerSchema = z.union([
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

/** Calls a method of the Bot API. Throws a ConnectorError where Telegram said nothing that we understand. */
export async function callTelegram<Method extends keyof Telegram, Result extends z.ZodType>(
  call: Call<Method, Result>,
  account: TelegramAccount,
  tools: CallTools,
): Promise<CallOutcome<Result>> {
  const response = await post(call, account, tools);
  const answer = answerSchema.safeParse(parseJson(response.body));
  if (!answer.success) throw unexpectedResponseError(response, tools.now());
  if (answer.data.ok) return { ok: true, result: parseResult(call, answer.data.result) };
  const { error_code, description, parameters } = answer.data;
  return {
    ok: false,
    refusal: {
      code: error_code,
      words: description ?? `Telegram refused with code ${error_code}.`,
      retryAfterS: parameters?.retry_after ?? null,
      movedTo: parameters?.migrate_to_chat_id ?? null,
    },
  };
}

/** Where Telegram is called, without a slash at its end. */
export function apiBaseUrl({ settings }: TelegramAccount): string {
  return (settings.api_base_url ?? HOME).replace(/(?<!\/)\/+$/, '');
}

/** The token stands in the address, as Telegram wants it: no error may name that. */
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
    return await withDeadline({ timeoutMs, signal }, async (ends) => {
      const response = await fetch(`${apiBaseUrl(account)}/bot${credentials.bot_token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(params),
        redirect: 'error',
        signal: ends,
      });
      const body = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, body };
    });
  } catch (error) {
    throw unreachableError('Telegram', error, [credentials.bot_token]);
  }
}

/** Telegram refuses in words of its own: a refusal without them is of somebody on the way, and tells nothing of ours. */
function unexpectedResponseError(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  now: Date,
): ConnectorError {
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  const words = `Telegram answered with status ${status}, in words that are not its own.`;
  const { advice, account } = platformError(
    words,
    { status: isRefusal ? BAD_GATEWAY : status, headers },
    now,
  );
  return new ConnectorError(words, { advice, account, foreign: status < 500 && status !== 429 });
}

function parseResult<Result extends z.ZodType>(
  call: { method: string; result: Result },
  value: unknown,
): z.infer<Result> {
  const read = call.result.safeParse(value);
  if (read.success) return read.data;
  throw new ConnectorError(`Telegram's answer to ${call.method} is not understood.`, {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}

type CallArguments<Method extends keyof Telegram, Result extends z.ZodType> = Parameters<
  typeof callTelegram<Method, Result>
>;

/** Calls a method that nothing can be done about where it is refused. */
export async function callTelegramOrThrow<Method extends keyof Telegram, Result extends z.ZodType>(
  ...[call, account, tools]: CallArguments<Method, Result>
): Promise<z.infer<Result>> {
  const outcome = await callTelegram(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal, tools.now());
}

/** What Telegram says where it does not do what it was asked. */
export interface Refusal {
  readonly code: number;
  readonly words: string;
  readonly retryAfterS: number | null;
  /** The group is a supergroup now, and has this id. */
  readonly movedTo: number | null;
}

/** The answer to a token that Telegram does not know is 401, or 404 where it is not even well-formed. */
const isAccountRefused = ({ code, words }: Refusal) =>
  code === 401 || (code === 404 && !words.includes('method'));

export function refusalError(refusal: Refusal, now: Date): ConnectorError {
  const { code, words, retryAfterS } = refusal;
  const retryAfter = retryAfterS === null ? null : String(retryAfterS);
  return new ConnectorError(words, {
    advice: retryAdvice({ status: code, retryAfter }, now),
    account: isAccountRefused(refusal),
  });
}

/** What came of a call: refusals are no exceptions, for some of them can be helped. */
type CallOutcome<Result extends z.ZodType> =
  | { readonly ok: true; readonly result: z.infer<Result> }
  | { readonly ok: false; readonly refusal: Refusal };
