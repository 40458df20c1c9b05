import { FetchError, guardedFetch, type ResolveHost } from '../../core/base/http-client.ts';
import type { DeliveryOutcome } from '../../core/webhooks/deliveries.ts';

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

export interface PostOutcome extends DeliveryOutcome {
  readonly retryAfter: string | null;
}

/** Limit of the response body, which is not read further. */
const maxBytes = 2 ** 20;

/** Sends a message once. A failure is returned as an outcome, not thrown. */
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
    const accepted = status >= 200 && status <= 299;
    return {
      status,
      error: accepted ? null : `The endpoint returned status ${status}.`,
      retryAfter: headers.get('retry-after'),
    };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { status: null, error: describeFailure(error), retryAfter: null };
  }
}

function describeFailure(error: FetchError): string {
  return error.code === 'too_many_redirects'
    ? 'The endpoint returned a redirect. Redirects are not followed.'
    : error.message;
}

/**
 * Parses a `Retry-After` header (seconds or a date) into milliseconds from `now`. Returns 0 if it is missing or
 * invalid.
 */
export function parseRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}
