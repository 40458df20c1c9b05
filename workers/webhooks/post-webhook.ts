import { FetchError, guardedFetch, type ResolveHost } from '../../core/http-client.ts';

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostLimits {
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
  readonly resolveHost?: ResolveHost;
}

export interface PostOutcome {
  /** What the receiver answered; null where it did not. */
  readonly status: number | null;
  /** Null where the message arrived. */
  readonly error: string | null;
  readonly retryAfter: string | null;
}

/** More than any receiver has a reason to say; it is not looked at. */
const maxBytes = 2 ** 20;

/** Sends a message once. Whatever goes wrong is an outcome. */
export async function postWebhook(message: Message, limits: PostLimits): Promise<PostOutcome> {
  try {
    const { status, headers } = await guardedFetch(message.url, {
      ...limits,
      method: 'POST',
      headers: {
        ...message.headers,
        'content-type': 'application/json',
        'user-agent': 'Parley/0.1 (webhooks)',
      },
      body: message.body,
      maxBytes,
      maxRedirects: 0,
    });
    const arrived = status >= 200 && status <= 299;
    return {
      status,
      error: arrived ? null : `The receiver answered with status ${status}.`,
      retryAfter: headers.get('retry-after'),
    };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { status: null, error: describeFailure(error), retryAfter: null };
  }
}

function describeFailure(error: FetchError): string {
  return error.code === 'too_many_redirects'
    ? 'The receiver answered with a redirect, which is not followed.'
    : error.message;
}

/** How many milliseconds a `Retry-After` asks to wait from `now`: seconds or a date; 0 where it asks for nothing. */
export function parseRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}
