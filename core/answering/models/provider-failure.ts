import { AppError } from '../../errors.ts';

/**
 * Why a model did not answer. `timeout`: nothing came for too long. `unreachable`: no connection. `rate_limited`: 429.
 * `misconfigured`: a wrong key or a model that does not exist, which the operator has to mend. `refused`: this one
 * request was not accepted. `failed`: anything else the provider did wrong.
 */
export type FailureKind = 'timeout' | 'unreachable' | 'rate_limited' | 'misconfigured' | 'refused' | 'failed';

interface FailureDetails {
  readonly cause?: unknown;
  /** After which the provider wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
}

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, { cause, retryAfterMs }: FailureDetails = {}) {
    super(`the language model did not answer: ${kind}`, { cause });
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
/** Google's library keeps nothing of the fault but this. */
const NO_CONNECTION = /\bfetch failed$/;
/** The libraries wrap what they are told once or twice. */
const DEEPEST_CAUSE = 5;

/** What a provider's library threw, in our words. The libraries have the same facts under different names. */
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
    cause !== undefined && causes.length < DEEPEST_CAUSE;
    cause = readField(cause, 'cause')
  ) {
    causes.push(cause);
  }
  return causes;
}

function httpStatus(error: unknown): number | undefined {
  const names = ['status', 'statusCode', 'status_code'];
  const found = [error, readField(error, 'response')].flatMap((from) =>
    names.map((name) => readField(from, name)),
  );
  return found.find((value) => typeof value === 'number');
}

/** Seconds or a date, as HTTP has it. */
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

interface FailureOptions {
  /** How many models there are, asked or not; one when absent. */
  readonly models?: number;
  /** When the first of the providers is asked again, in milliseconds from now. */
  readonly pauseMs?: number;
}

/**
 * The error for callers when no model answered. `provider_down`: several models failed, whatever each failed with, or
 * the only one could not be reached or was left alone after repeated failures. `upstream_timeout`: the only model took
 * too long. `model_provider_error`: the only model answered with an error.
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

/** A field of something whose type nobody vouches for; undefined where there is none. */
export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
