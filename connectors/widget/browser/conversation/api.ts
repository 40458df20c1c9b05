import type { History, Identity, SentFile } from '../types.ts';

/** What the server refused, or that it was not reached. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAfter: number;

  constructor(code: string, { status = 0, retryAfter = 0 } = {}) {
    super(code);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Where the session of a visitor is kept. */
export interface SessionStore {
  get(): string | null;
  set(session: string | null): void;
}

interface ApiOptions {
  /** Of all calls. */
  readonly base: string;
  /** Null: the browser shows the session by itself. */
  readonly sessions: SessionStore | null;
  readonly language: string;
  /** Whether it has one to show. */
  readonly isKnown?: boolean;
}

/** The calls of a visitor. Throws ApiErrors. */
export class Api {
  readonly #options: ApiOptions;
  #identity: Identity = {};
  #opening: Promise<void> | undefined;
  #isKnown: boolean;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#isKnown = options.isKnown ?? false;
  }

  get hasSession(): boolean {
    const { sessions } = this.#options;
    return sessions === null ? this.#isKnown : sessions.get() !== null;
  }

  /** Who the visitor is from now on: sessions that begin are his. The one that there is stays where it is his already. */
  async identify(identity: Identity, { isKnown }: { readonly isKnown: boolean }): Promise<void> {
    this.#identity = identity;
    if (!isKnown) await this.#openSession();
  }

  async logout(): Promise<void> {
    this.#identity = {};
    if (!this.hasSession) return;
    await this.#call('/session', { method: 'DELETE' }).catch(() => undefined);
    this.#options.sessions?.set(null);
  }

  async history(cursor?: string): Promise<History> {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    return (await this.#call(`/messages?limit=30${page}`)).json();
  }

  say(path: '/ask' | '/human', query: string, files: SentFile[] = []): Promise<Response> {
    const metadata = { page_url: location.href.slice(0, 2_000), page_title: document.title.slice(0, 300) };
    const ids = files.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const body = { query, metadata, ...(ids.length > 0 && { files: ids }) };
    return this.#inSession(() => this.post(path, body));
  }

  /** Until it is said with something, nobody sees it. */
  async handIn(file: File): Promise<SentFile> {
    const body = new FormData();
    body.set('file', file);
    const response = await this.#inSession(() => this.#call('/files', { method: 'POST', body }));
    return response.json();
  }

  /** Of a file that was not said with anything. */
  async takeBack(file: SentFile): Promise<void> {
    await this.#call(`/files/${file.id}`, { method: 'DELETE' });
  }

  news(signal: AbortSignal): Promise<Response> {
    return this.#call('/events', { signal });
  }

  post(path: string, body?: object): Promise<Response> {
    return this.#call(path, { method: 'POST', ...(body && { body: JSON.stringify(body) }) });
  }

  /** Begins a session where there is none, or it is over and no other tab has begun one. */
  async #inSession(send: () => Promise<Response>): Promise<Response> {
    const { sessions } = this.#options;
    if (!this.hasSession) await this.#openSession();
    const shown = sessions?.get();
    return send().catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const isRenewed = sessions !== null && sessions.get() !== shown;
      if (!isRenewed) {
        sessions?.set(null);
        await this.#openSession();
      }
      return send();
    });
  }

  /** Once at a time: two would begin two histories. */
  #openSession(): Promise<void> {
    this.#opening ??= this.#newSession().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #newSession(): Promise<void> {
    const { sessions } = this.#options;
    const before = sessions?.get();
    const body = { ...this.#identity, ...(before && { previous_session: before }) };
    const response = await this.#call('/session', { method: 'POST', body: JSON.stringify(body) });
    const opened: { session: string } = await response.json();
    sessions?.set(opened.session);
    this.#isKnown = true;
  }

  /** Where there is much to do the server wants to see work first: `answer` shows it. */
  async #call(path: string, init: RequestInit = {}, answer: string | null = null): Promise<Response> {
    const { base, sessions, language } = this.#options;
    const session = sessions?.get();
    const headers = {
      ...(session && { authorization: `Bearer ${session}` }),
      ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
      // What is said without an answer is in the language of the chat.
      'accept-language': language,
      ...(answer !== null && { 'challenge-answer': answer }),
    };
    let response: Response;
    try {
      const credentials = sessions === null ? 'same-origin' : 'omit';
      response = await fetch(base + path, { ...init, headers, credentials });
    } catch {
      throw new ApiError('unreachable');
    }
    if (response.ok) return response;
    const challenge = response.headers.get('challenge');
    const solved = challenge === null || answer !== null ? null : await solveChallenge(challenge);
    if (solved !== null) return this.#call(path, init, solved);
    const told: { code?: string } = await response.json().catch(() => ({}));
    throw new ApiError(told.code ?? 'unknown', {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')) || 0,
    });
  }
}

/** The JSON of each event of a response, as it comes; `heard` at everything that comes. */
export async function* readFrames<Data>(
  response: Response,
  heard: () => void = () => {},
): AsyncGenerator<Data> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let unread = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const events = (unread + decoder.decode(value, { stream: true })).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      const data: Data = JSON.parse(event.slice(6));
      yield data;
    }
  }
}

/** So many tries between two looks at what else the page has to do. */
const BATCH_SIZE = 256;

/**
 * The answer to a challenge of the server: it, and a number behind it with which its hash begins with as many zero bits
 * as it says. The browser hashes beside the page's own thread. Null where it does not: on pages without https.
 */
async function solveChallenge(challenge: string): Promise<string | null> {
  const { bits } = parseTokenClaims(challenge);
  if (!isSecureContext || !bits) return null;
  const encoder = new TextEncoder();
  const isRight = async (nonce: number) => {
    const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${nonce}`));
    return new DataView(hash).getUint32(0) >>> (32 - bits) === 0;
  };
  for (let from = 0; ; from += BATCH_SIZE) {
    const right = await Promise.all(Array.from({ length: BATCH_SIZE }, (_, index) => isRight(from + index)));
    const found = right.indexOf(true);
    if (found !== -1) return `${challenge} ${from + found}`;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** What a JWT claims, unproven; empty where it is none. */
export function parseTokenClaims(token: string): { sub?: string; bits?: number } {
  const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  try {
    return JSON.parse(atob(claims));
  } catch {
    return {};
  }
}
