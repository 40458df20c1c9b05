import { fieldOf } from './field-of.ts';
import { ProviderFailure } from './provider-failure.ts';

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
export function explainFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const causes = causesOf(error);
  const status = firstOf(causes, statusOf);
  if (status === undefined) {
    if (fieldOf(error, 'name') === 'TimeoutError') return new ProviderFailure('timeout', { cause: error });
    const codes = causes.map((cause) => fieldOf(cause, 'code')).filter((code) => code !== undefined);
    const isUnreachable =
      codes.length === 0
        ? NO_CONNECTION.test(String(fieldOf(error, 'message')))
        : codes.some((code) => UNREACHABLE.has(String(code)));
    return new ProviderFailure(isUnreachable ? 'unreachable' : 'failed', { cause: error });
  }
  if (status === 429) {
    return new ProviderFailure('rate_limited', { cause: error, retryAfterMs: firstOf(causes, retryAfterOf) });
  }
  if ([401, 403, 404].includes(status)) return new ProviderFailure('misconfigured', { cause: error });
  if (status >= 400 && status < 500) return new ProviderFailure('refused', { cause: error });
  return new ProviderFailure('failed', { cause: error, retryAfterMs: firstOf(causes, retryAfterOf) });
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (
    let cause = error;
    cause !== undefined && causes.length < DEEPEST_CAUSE;
    cause = fieldOf(cause, 'cause')
  ) {
    causes.push(cause);
  }
  return causes;
}

function statusOf(error: unknown): number | undefined {
  const names = ['status', 'statusCode', 'status_code'];
  const found = [error, fieldOf(error, 'response')].flatMap((from) =>
    names.map((name) => fieldOf(from, name)),
  );
  return found.find((value) => typeof value === 'number');
}

/** Seconds or a date, as HTTP has it. */
function retryAfterOf(error: unknown): number | undefined {
  const headers = fieldOf(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : fieldOf(headers, 'retry-after');
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
