import { z } from 'zod';
import type { GuardedResponse } from '../../../base/http-client.ts';
import { ItemError, SourceError, type SourceTools } from '../../source-reader.ts';

export interface ToolRequest {
  readonly method?: 'GET' | 'POST';
  /** Values of undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes?: number;
}

/** The API of a tool. */
export interface ToolApi {
  /** As people know the tool. */
  readonly name: string;
  /**
   * The address in front of every path, without a slash at its end. Requests go to its origin only, because they
   * carry the token.
   */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a response that is not 429 says that there were too many requests. */
  readonly isLimited?: (response: GuardedResponse, words: () => string) => boolean;
  /** Returns headers that depend on the request, such as a signature. */
  readonly sign?: (address: string, request: ToolRequest) => Promise<Readonly<Record<string, string>>>;
}

const MOST_ATTEMPTS = 4;
/** With a longer wait, others have their turn. */
const LONGEST_PAUSE_MS = 5_000;
const DOWN_MS = 300_000;
const LONGEST_RETRY_MS = 6 * 3_600_000;
const TIMEOUT_MS = 60_000;
const MOST_BYTES = 32 * 2 ** 20;

/**
 * Sends the requests of a reader. It waits if the tool asks for a short pause, and turns refusals into the errors of
 * sources: `list` fails the run, `item` and `bytes` the item alone.
 */
export class ToolClient {
  readonly #api: ToolApi;
  readonly #tools: Pick<SourceTools, 'fetch' | 'wait' | 'now'>;

  constructor(api: ToolApi, tools: Pick<SourceTools, 'fetch' | 'wait' | 'now'>) {
    this.#api = api;
    this.#tools = tools;
  }

  /** Requests a part of the list. Throws a SourceError. */
  async list<Value>(
    schema: z.ZodType<Value>,
    path: string,
    request: ToolRequest = {},
  ): Promise<{ readonly value: Value; readonly response: GuardedResponse }> {
    const response = await this.send(path, request);
    const parsed = schema.safeParse(parseJson(response));
    if (parsed.success) return { value: parsed.data, response };
    throw new SourceError('unexpected_answer', this.#unexpected());
  }

  /** Requests a part of the list as bytes. Throws a SourceError. */
  async send(path: string, request: ToolRequest = {}): Promise<GuardedResponse> {
    const response = await this.#fetch(path, request);
    if (isSuccess(response)) return response;
    const { status } = response;
    if (isDown(status)) throw this.#down(response, { retryAfterMs: DOWN_MS });
    const code = status === 404 || status === 410 ? 'source_missing' : 'source_refused';
    throw new SourceError(code, this.#refusal(response));
  }

  /** Requests an item. Null if it does not exist. Throws an ItemError or a SourceError. */
  async item<Value>(
    schema: z.ZodType<Value>,
    path: string,
    request: ToolRequest = {},
  ): Promise<Value | null> {
    const response = await this.bytes(path, request);
    if (response === null) return null;
    const parsed = schema.safeParse(parseJson(response));
    if (parsed.success) return parsed.data;
    throw new ItemError('unexpected_answer', this.#unexpected());
  }

  /** Requests an item as bytes. Null if it does not exist. Throws an ItemError or a SourceError. */
  async bytes(path: string, request: ToolRequest = {}): Promise<GuardedResponse | null> {
    return this.#found(await this.#fetch(path, request));
  }

  #found(response: GuardedResponse): GuardedResponse | null {
    if (isSuccess(response)) return response;
    const { status } = response;
    if (status === 404 || status === 410) return null;
    if (status === 401) throw new SourceError('source_refused', this.#refusal(response));
    if (isDown(status)) throw new ItemError('tool_down', this.#down(response).message);
    throw new ItemError(status === 403 ? 'no_permission' : 'item_refused', this.#refusal(response));
  }

  /**
   * Downloads a file from an address that the tool's answer names. Headers go to the tool's own origin only, because they
   * carry the token. Null if it does not exist. Throws an ItemError, a SourceError or a FetchError.
   */
  async download(address: string, maxBytes: number): Promise<GuardedResponse | null> {
    const { base } = this.#api;
    const url = URL.parse(address, base);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      throw new ItemError('unusable_key', 'The tool names the file in a way that cannot be requested.');
    }
    const isOwn = url.origin === new URL(base).origin;
    const bare: ToolApi = { name: this.#api.name, base, headers: {} };
    const client = isOwn ? this : new ToolClient(bare, this.#tools);
    const response = await client.#send(url.href, { maxBytes });
    // Storage refuses an address that has expired: the token has nothing to do with that.
    if (!isOwn && response.status === 401) throw new ItemError('item_refused', this.#refusal(response));
    return this.#found(response);
  }

  #fetch(path: string, request: ToolRequest): Promise<GuardedResponse> {
    return this.#send(addressOf(this.#api, path, request.query), request);
  }

  async #send(address: string, request: ToolRequest): Promise<GuardedResponse> {
    const { method = 'GET', body, maxBytes = MOST_BYTES } = request;
    for (let attempt = 1; ; attempt += 1) {
      const signature = (await this.#api.sign?.(address, request)) ?? {};
      const response = await this.#tools.fetch(address, {
        ...{ method, maxBytes, timeoutMs: TIMEOUT_MS },
        headers: { 'user-agent': 'parley', ...this.#api.headers, ...request.headers, ...signature },
        ...(body !== undefined && { body }),
      });
      const pauseMs = this.#pauseOf(response, attempt);
      if (pauseMs === null) return response;
      if (pauseMs <= LONGEST_PAUSE_MS && attempt < MOST_ATTEMPTS) await this.#tools.wait(pauseMs);
      else if (this.#isLimited(response)) throw this.#limited(response, pauseMs);
      else return response;
    }
  }

  /** Returns the delay before the request is sent again. Null if a retry does not help. */
  #pauseOf(response: GuardedResponse, attempt: number): number | null {
    const growing = 500 * 2 ** attempt;
    if (this.#isLimited(response)) return statedPause(response, this.#tools.now()) ?? growing;
    return isDown(response.status) && response.status !== 500 ? growing : null;
  }

  #isLimited(response: GuardedResponse): boolean {
    const { status } = response;
    if (status === 429 || (status === 503 && response.headers.has('retry-after'))) return true;
    return this.#api.isLimited?.(response, () => wordsOf(response)) ?? false;
  }

  #limited(response: GuardedResponse, pauseMs: number): SourceError {
    const retryAfterMs = Math.min(Math.max(pauseMs, 1_000), LONGEST_RETRY_MS);
    const words = wordsOf(response);
    const reason = `${this.#api.name} limits the number of requests. The run goes on later.`;
    return new SourceError('rate_limited', words === '' ? reason : `${reason} It says: ${words}`, {
      retryAfterMs,
    });
  }

  #down(response: GuardedResponse, options: { readonly retryAfterMs?: number } = {}): SourceError {
    const reason = `${this.#api.name} has a failure and answers with status ${response.status}.`;
    return new SourceError('tool_down', reason, options);
  }

  #refusal(response: GuardedResponse): string {
    const { status } = response;
    const words = wordsOf(response);
    return `${this.#api.name} answers with status ${status}${words === '' ? '.' : `: ${words}`}`;
  }

  #unexpected(): string {
    return `The answer of ${this.#api.name} has an unexpected form. Check the settings of the source.`;
  }
}

function isSuccess({ status }: GuardedResponse): boolean {
  return status >= 200 && status < 300;
}

function isDown(status: number): boolean {
  return status >= 500;
}

function addressOf({ base }: ToolApi, path: string, query: ToolRequest['query'] = {}): string {
  const url = new URL(base + (path.startsWith('/') ? path : `/${path}`));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The address of a self-hosted tool, without a slash at its end. */
export const baseAddress = z
  .string()
  .max(500)
  .transform(withoutSlash)
  .refine(isBaseAddress, 'Give an address such as https://tool.acme.example, without a query.');

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function isBaseAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && !/[?#]/.test(text);
}

/**
 * Joins a path, encoding the values. Values that change the meaning of the path are refused: a server would resolve the
 * dots.
 */
export function apiPath(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw(
    { raw: parts },
    ...values.map((value) => {
      const text = String(value);
      if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text.toWellFormed());
      throw new ItemError('unusable_key', 'The tool names the item in a way that cannot be requested.');
    }),
  );
}

/**
 * Returns the pause that the headers state: `Retry-After` in seconds or as a date, or the time of the reset, in seconds from
 * now or since 1970. One second is added, because clocks differ.
 */
function statedPause({ headers }: GuardedResponse, now: Date): number | null {
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    if (Number.isFinite(seconds)) return Math.max(seconds, 0) * 1_000;
    const at = Date.parse(after);
    if (Number.isFinite(at)) return Math.max(at - now.getTime(), 0) + 1_000;
  }
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  const seconds = Number(reset ?? Number.NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  // No rate limit has a window of a year.
  const isDate = seconds > 31_536_000;
  return (isDate ? Math.max(seconds * 1_000 - now.getTime(), 0) : seconds * 1_000) + 1_000;
}

/** Returns the tool's own words about a refusal; empty if there are none. */
export function wordsOf(response: GuardedResponse): string {
  const parsed = refusalSchema.safeParse(parseJson(response));
  if (!parsed.success) return xmlWords(response);
  const { message, error_description, description, error, errors } = parsed.data;
  const found = [message, error_description, description, error, ...[errors ?? []].flat()];
  return shorten(found.find((text) => text !== undefined && text !== '') ?? '');
}

/** The values of the `next` relation of a `Link` header. The host is ignored: the next request goes to the same API. */
export function nextQuery({ headers }: GuardedResponse): URLSearchParams | null {
  for (const link of (headers.get('link') ?? '').slice(0, 10_000).split(',')) {
    const [target = '', ...parameters] = link.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^rel="?next"?$/i.test(parameter))) continue;
    return (
      URL.parse(target.replace(/^</, '').replace(/>$/, ''), 'https://tool.invalid')?.searchParams ?? null
    );
  }
  return null;
}

export function parseJson({ bytes }: Pick<GuardedResponse, 'bytes'>): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}

const MOST_WORDS = 300;
const words = z.string().transform((text) => text.trim());
const nested = z.union([
  words,
  z
    .looseObject({ message: z.string().optional(), title: z.string().optional() })
    .transform(({ title, message }) => message ?? title ?? ''),
]);
const refusalSchema = z.looseObject({
  ...{ message: nested.optional(), error_description: words.optional(), description: words.optional() },
  ...{ error: nested.optional(), errors: z.union([z.array(nested), nested]).optional() },
});

/** S3 answers in XML. */
function xmlWords({ bytes }: GuardedResponse): string {
  const text = Buffer.from(bytes.subarray(0, 10_000)).toString('utf8');
  const [, after = ''] = text.split('<Message>', 2);
  return shorten(after.split('</Message>', 1)[0] ?? '');
}

function shorten(text: string): string {
  return Array.from(text.replaceAll(/\s+/g, ' ')).slice(0, MOST_WORDS).join('');
}
