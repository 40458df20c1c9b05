import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, type FormData, request } from 'undici';
import { readField } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';

/** Keeps connections to providers open for 30 seconds. Callers enforce their own timeouts. */
const agent = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 });

/** Azure takes its own keys in a header of its own; a bearer token is one of its directory. */
const AZURE_HOST = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/;

interface Posting {
  /** The path below the provider's base URL, whose query is kept. */
  readonly path: string;
  readonly body: object;
  /** The header for the key, if it is not `authorization`. */
  readonly keyHeader?: string;
  /** Aborting it closes the connection. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request and returns the response body. Throws a `RefusedRequest` for any status but success, and connection
 * errors.
 */
export function postJson(
  settings: PostSettings,
  { body, ...posting }: Posting,
): Promise<Dispatcher.ResponseData['body']> {
  return post(settings, {
    ...posting,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

/** Posts a form with files as `postJson` posts JSON. */
export function postForm(
  settings: PostSettings,
  posting: Omit<Posting, 'body'> & { readonly body: FormData },
): Promise<Dispatcher.ResponseData['body']> {
  return post(settings, { ...posting, headers: {} });
}

type PostSettings = Pick<ProviderSettings, 'baseUrl' | 'apiKey' | 'isAzure'>;

interface Post extends Omit<Posting, 'body'> {
  readonly body: string | FormData;
  readonly headers: Readonly<Record<string, string>>;
}

async function post(
  { baseUrl, apiKey, isAzure }: PostSettings,
  { path, body, headers: contentHeaders, keyHeader, signal }: Post,
): Promise<Dispatcher.ResponseData['body']> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  const response = await request(url, {
    method: 'POST',
    headers: {
      ...contentHeaders,
      'user-agent': 'Parley/0.1 (models)',
      ...(apiKey !== '' &&
        (keyHeader !== undefined
          ? { [keyHeader]: apiKey }
          : isAzure === true || AZURE_HOST.test(url.hostname)
            ? { 'api-key': apiKey }
            : { authorization: `Bearer ${apiKey}` })),
    },
    body,
    signal,
    dispatcher: agent,
  });
  const { statusCode, headers } = response;
  if (statusCode >= 200 && statusCode < 300) return response.body;
  throw new RefusedRequest(await response.body.text(), { status: statusCode, headers });
}

interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A response with an error status; `message` contains the provider's explanation. */
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

/** OpenAI's API returns `{"error": {"message"}}`. Other servers return less, and proxies return arbitrary text. */
function parseErrorMessage(body: string): string {
  try {
    const error = readField(JSON.parse(body), 'error');
    const message = readField(error, 'message') ?? error;
    return typeof message === 'string' ? message : body;
  } catch {
    return body;
  }
}
