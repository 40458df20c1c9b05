import { parseCamelCase, toSnakeCase, toSnakeName } from './casing.ts';
import { ConnectionError, type ErrorFacts, errorFrom, ParleyError } from './errors.ts';

/** A `Retry-After` beyond this, such as that of the day's cap, is left to the caller. */
const LONGEST_WAIT_MS = 60_000;

export interface ParleyOptions {
  /** `pk_…`. Never put it into a page: browsers have the widget, or a route of yours in between. */
  readonly apiKey: string;
  /** Such as `https://parley.example.com`. */
  readonly baseUrl: string;
  /** Defaults to the workspace of the key. */
  readonly workspaceId?: string | undefined;
  /** Milliseconds that one attempt may take. Default: 35,000, because the service itself gives up after 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again. Default: 5. */
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Replaced in tests. Waits between attempts. */
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Replaced in tests. Returns a number from 0 to 1. */
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  /** Ends the request. It then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Failures that the service plays for a test key (`pk_test_…`), so that you can try what your code does then. */
export type Simulation =
  | 'provider_down'
  | 'upstream_timeout'
  | 'rate_limit_minute'
  | 'quota_exhausted'
  | 'low_confidence'
  | 'slow'
  | 'drop_stream'
  | 'escalate';

export interface AskOptions extends CallOptions {
  /** Needs a test key. */
  readonly simulate?: Simulation | undefined;
}

export interface Call extends AskOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: object | undefined;
  readonly form?: FormData | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface RateLimit {
  readonly limitMinute: number;
  readonly remainingMinute: number;
  readonly limitDay: number;
  readonly remainingDay: number;
  /** When the day's count begins anew. */
  readonly resetsAt: Date;
}

/** The facts that the headers of a response add to its body. */
export interface Meta {
  /** Names the request when you ask for support. */
  readonly requestId: string;
  /** Null for calls that the limits of the key do not count. */
  readonly rateLimit: RateLimit | null;
}

/** Sends requests, repeats those that may be repeated, and turns failures into errors. */
export class Transport {
  readonly #options: ParleyOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #maxRetries: number;

  constructor(options: ParleyOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#maxRetries = options.maxRetries ?? 5;
  }

  get maxRetries(): number {
    return this.#maxRetries;
  }

  /** Resolves with the JSON of the response in camel case, and with what its headers say. */
  async send<Result extends object>(call: Call): Promise<Result & Meta> {
    const { response, text } = await this.#retry(call, async (response) => response.text());
    const body = readObject<Result>(text);
    if (body === null) throw new ConnectionError('invalid_response', text.slice(0, 200));
    return { ...body, ...readMeta(response.headers) };
  }

  /** Sends a request whose response has no body. */
  async finish(call: Call): Promise<void> {
    await this.#retry(call, async () => '');
  }

  /** Resolves with a response whose body streams. The timeout covers the time to its head alone. */
  async open(call: Call): Promise<Response> {
    const { response } = await this.#retry(call, async () => '');
    return response;
  }

  /** Waits before attempt `attempt`, from 1: as long as the service asked, else a random part of 2^attempt seconds. */
  async waitBefore(attempt: number, error: ParleyError, signal: AbortSignal | undefined): Promise<void> {
    const { random = Math.random } = this.#options;
    const ms = error.retryAfter === null ? random() * 1_000 * 2 ** attempt : error.retryAfter * 1_000;
    await this.pause(ms, signal);
  }

  /** Rejects with the signal's reason when it is aborted. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return (this.#options.wait ?? waitFor)(ms, signal);
  }

  async #retry(call: Call, read: (response: Response) => Promise<string>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(call, read);
      } catch (error) {
        if (!(error instanceof ParleyError) || attempt > this.#maxRetries || !mayRepeat(call, error))
          throw error;
        await this.waitBefore(attempt, error, call.signal);
      }
    }
  }

  async #attempt(call: Call, read: (response: Response) => Promise<string>) {
    const { timeoutMs = 35_000 } = this.#options;
    const stop = new AbortController();
    const abort = () => stop.abort(call.signal?.reason);
    call.signal?.throwIfAborted();
    call.signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => stop.abort(new ConnectionError('client_timeout', undefined)), timeoutMs);
    try {
      const response = await this.#fetch(this.#address(call), this.#init(call, stop.signal));
      if (!response.ok) throw errorFrom(await readError(response));
      return { response, text: await read(response) };
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      if (stop.signal.aborted) throw stop.signal.reason;
      throw new ConnectionError('connection_failed', error);
    } finally {
      clearTimeout(timer);
      // The body of a stream goes on: it ends with the caller's signal, which the stream watches itself.
      call.signal?.removeEventListener('abort', abort);
    }
  }

  #address({ path, query = {} }: Call): string {
    const url = new URL(this.#options.baseUrl.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) addParameter(url.searchParams, name, value);
    return url.href;
  }

  #init({ method, body, form, idempotencyKey, simulate }: Call, signal: AbortSignal): RequestInit {
    const headers = new Headers({
      authorization: `Bearer ${this.#options.apiKey}`,
      accept: 'application/json, text/event-stream',
    });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (simulate !== undefined) headers.set('x-parley-simulate', simulate);
    const sent = form ?? (body === undefined ? null : JSON.stringify(toSnakeCase(body)));
    return { method, headers, body: sent, signal };
  }
}

/**
 * 429 and 5xx tell that nothing was done. Without a response that is unknown, and only requests are repeated that have the
 * same effect when they arrive twice.
 */
function mayRepeat({ method, idempotencyKey }: Call, error: ParleyError): boolean {
  if ((error.retryAfter ?? 0) * 1_000 > LONGEST_WAIT_MS) return false;
  if (error.status !== null) return error.status === 429 || error.status >= 500;
  if (error.code === 'invalid_response') return false;
  return method !== 'POST' || idempotencyKey !== undefined;
}

function addParameter(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const item of value) parameters.append(toSnakeName(name), String(item));
  else if (typeof value === 'object') {
    for (const [key, field] of Object.entries(value)) parameters.append(`${name}[${key}]`, String(field));
  } else parameters.append(toSnakeName(name), String(value));
}

async function readError(response: Response): Promise<ErrorFacts> {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(after) ? after : null,
  };
  const body = readObject<{ code?: string; detail?: string }>(await response.text());
  const { code = 'invalid_response', detail = 'The response is not from Parley. Check baseUrl.' } =
    body ?? {};
  return { ...facts, code, detail };
}

/** Returns null for text that is no object in JSON. The type is that of the description: the service keeps to it. */
function readObject<Result extends object>(text: string): Result | null {
  const isObject = (value: unknown): value is Result => typeof value === 'object' && value !== null;
  try {
    const value = parseCamelCase(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readMeta(headers: Headers): Meta {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  return {
    requestId: headers.get('x-request-id') ?? '',
    rateLimit: headers.has('x-ratelimit-limit-minute')
      ? {
          limitMinute: number('limit-minute'),
          remainingMinute: number('remaining-minute'),
          limitDay: number('limit-day'),
          remainingDay: number('remaining-day'),
          resetsAt: new Date(number('reset-day') * 1_000),
        }
      : null,
  };
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
