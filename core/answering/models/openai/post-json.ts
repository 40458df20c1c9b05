import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, request } from 'undici';
import { readField } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';

/** Keeps connections to providers for the next question. Who asks has time-outs of his own. */
const agent = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 });

interface Posting {
  /** Below the provider's base address. */
  readonly path: string;
  readonly body: object;
  /** Closes the connection. */
  readonly signal: AbortSignal;
}

/** The body of the answer. Throws a RefusedRequest for any status but success, and what the connection throws. */
export async function postJson(
  { baseUrl, apiKey }: ProviderSettings,
  { path, body, signal }: Posting,
): Promise<Dispatcher.ResponseData['body']> {
  const answered = await request(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Parley/0.1 (models)',
      ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    signal,
    dispatcher: agent,
  });
  const { statusCode, headers } = answered;
  if (statusCode >= 200 && statusCode < 300) return answered.body;
  throw new RefusedRequest(await answered.body.text(), { status: statusCode, headers });
}

interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A provider answered with a status that is no success; `message` is what it said of it. */
class RefusedRequest extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;

  constructor(body: string, { status, headers }: Refusal) {
    super(`${status} ${parseErrorMessage(body)}`);
    this.name = 'RefusedRequest';
    this.status = status;
    this.headers = headers;
  }
}

/** OpenAI's dialect has `{"error": {"message"}}`; some servers say less, and proxies what they like. */
function parseErrorMessage(body: string): string {
  try {
    const error = readField(JSON.parse(body), 'error');
    const message = readField(error, 'message') ?? error;
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}
