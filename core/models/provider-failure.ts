import { AppError } from '../base/errors.ts';

/**
 * Why a model did not answer. `timeout`: no output within the time limit. `unreachable`: no connection. `rate_limited`:
 * status 429. `misconfigured`: a wrong key or unknown model, which only the operator can fix. `refused`: the provider
 * rejected this request. `failed`: any other fault of the provider.
 */
export type FailureKind = 'timeout' | 'unreachable' | 'rate_limited' | 'misconfigured' | 'refused' | 'failed';

interface FailureDetails {
  readonly cause?: unknown;
  /** The provider's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, { cause, retryAfterMs }: FailureDetails = {}) {
    super(`model call failed: ${kind}`, { cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Google's library preserves only this message of a connection error. */
const NO_CONNECTION = /\bfetch failed$/;
/** The libraries wrap errors once or twice; the limit protects against cycles. */
const MAX_CAUSE_DEPTH = 5;

/** Classifies an error of a provider's library. The libraries report the same facts under different names. */
export function toProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const causes = errorChain(error);
  const status = firstOf(causes, httpStatus);
  if (status === undefined) {
    if (readField(error, 'name') === 'TimeoutError') return new ProviderFailure('timeout', { cause: error });
    const codes = causes.map((cause) => readField(cause, 'code')).filter((code) => code !== undefined);
    const isUnreachable =
      codes.length === 0
        ? NO_CONNECTION.test(String(readField(error, 'message')))
        : codes.some((code) => UNREACHABLE.has(String(code)));
    return new ProviderFailure(isUnreachable ? 'unreachable' : 'failed', { cause: error });
  }
  if (status === 429) {
    return new ProviderFailure('rate_limited', {
      cause: error,
      retryAfterMs: firstOf(causes, parseRetryAfter),
    });
  }
  if ([401, 403, 404].includes(status)) return new ProviderFailure('misconfigured', { cause: error });
  if (status >= 400 && status < 500) return new ProviderFailure('refused', { cause: error });
  return new ProviderFailure('failed', { cause: error, retryAfterMs: firstOf(causes, parseRetryAfter) });
}

function errorChain(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (
    let cause = error;
    cause !== undefined && causes.length < MAX_CAUSE_DEPTH;
    cause = readField(cause, 'cause')
  ) {
    causes.push(cause);
  }
  return causes;
}

function httpStatus(error: unknown): number | undefined {
  const names = ['status', 'statusCode', 'status_code'];
  const found = [error, readField(error, 'response')].flatMap((source) =>
    names.map((name) => readField(source, name)),
  );
  return found.find((value) => typeof value === 'number');
}

/** Parses `Retry-After`: seconds or an HTTP date. Returns milliseconds. */
function parseRetryAfter(error: unknown): number | undefined {
  const headers = readField(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : readField(headers, 'retry-after');
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function firstOf<Value>(
  causes: readonly unknown[],
  read: (cause: unknown) => Value | undefined,
): Value | undefined {
  for (const cause of causes) {
    const value = read(cause);
    if (value !== undefined) return value;
  }
  return undefined;
}

const MAX_REASON_CHARS = 300;
/** Providers that mask a key leave its beginning: `sk-proj-****1234`. */
const MASKED_START_CHARS = 7;

/** Some providers repeat the rejected API key in their error message, whole or masked. */
export function safeReason({ cause }: ProviderFailure, apiKey: string): string {
  const reason = cause instanceof Error ? cause.message : String(cause ?? '');
  const [line = ''] = withoutKey(reason, apiKey).slice(0, MAX_REASON_CHARS).split('\n', 1);
  return line;
}

function withoutKey(text: string, apiKey: string): string {
  if (apiKey === '') return text;
  const whole = text.replaceAll(apiKey, '[redacted]');
  const start = apiKey.slice(0, MASKED_START_CHARS);
  if (apiKey.length < 2 * MASKED_START_CHARS || !whole.includes(start)) return whole;
  return whole
    .split(' ')
    .map((word) => (word.includes(start) ? '[redacted]' : word))
    .join(' ');
}

/** The HTTP status with which the provider refused; undefined if it did not. */
export function refusedStatus({ cause }: ProviderFailure): number | undefined {
  return firstOf(errorChain(cause), httpStatus);
}

interface FailureOptions {
  /** The number of configured models, whether called or not; 1 if absent. */
  readonly models?: number;
  /** Milliseconds until the first provider is tried again. */
  readonly pauseMs?: number;
}

/**
 * Returns the error for callers if no model answered. `provider_down`: several models failed, or the only one was
 * unreachable or paused after repeated failures. `upstream_timeout`: the only model exceeded its time limit.
 * `model_provider_error`: the only model returned an error.
 */
export function toPublicError(
  failures: readonly ProviderFailure[],
  { models = 1, pauseMs = 0 }: FailureOptions = {},
): AppError {
  const cause = failures.at(-1);
  if (models > 1 || failures.every(({ kind }) => kind === 'unreachable')) {
    return new AppError('provider_down', {
      cause,
      retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1_000)),
    });
  }
  return new AppError(cause?.kind === 'timeout' ? 'upstream_timeout' : 'model_provider_error', { cause });
}

/** Reads a field of an untyped value; undefined if it has none. */
export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
