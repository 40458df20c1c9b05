import type { History, Identity, SentFile } from '../types.ts';

/** An error response of the server, or a failed connection. */
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

/** Stores the session token of a visitor. */
export interface SessionStore {
  get(): string | null;
  set(session: string | null): void;
}

interface ApiOptions {
  /** Base address of all requests. */
  readonly base: string;
  /** Null if the session is in a cookie. */
  readonly sessions: SessionStore | null;
  readonly language: string;
  /** Whether the cookie contains a session. */
  readonly isKnown?: boolean;
}

/** The requests of a visitor. Throws ApiErrors. */
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

  /** Returns the whole address of a link, which may be a path on this server. */
  link(url: string): string {
    return new URL(url, new URL(this.#options.base, location.href)).href;
  }

  /**
   * Sets the visitor's identity for new sessions. It keeps the current session if that already belongs to this
   * identity.
   */
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

  send(path: '/ask' | '/human', query: string, files: SentFile[] = []): Promise<Response> {
    const metadata = { page_url: location.href.slice(0, 2_000), page_title: document.title.slice(0, 300) };
    const ids = files.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const body = { query, metadata, ...(ids.length > 0 && { files: ids }) };
    return this.#inSession(() => this.post(path, body));
  }

  /** Uploads a file. It is stored for the visitor only, until it is sent with a message. */
  async uploadFile(file: File): Promise<SentFile> {
    const body = new FormData();
    body.set('file', file);
    const response = await this.#inSession(() => this.#call('/files', { method: 'POST', body }));
    return response.json();
  }

  /** Deletes an uploaded file that was not sent. */
  async deleteFile(file: SentFile): Promise<void> {
    await this.#call(`/files/${file.id}`, { method: 'DELETE' });
  }

  news(signal: AbortSignal): Promise<Response> {
    return this.#call('/events', { signal });
  }

  post(path: string, body?: object): Promise<Response> {
    return this.#call(path, { method: 'POST', ...(body && { body: JSON.stringify(body) }) });
  }

  /** Opens a session if there is none, or if it has ended and no other tab has opened one. */
  async #inSession(send: () => Promise<Response>): Promise<Response> {
    const { sessions } = this.#options;
    if (!this.hasSession) await this.#openSession();
    const usedSession = sessions?.get();
    return send().catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const isRenewed = sessions !== null && sessions.get() !== usedSession;
      if (!isRenewed) {
        sessions?.set(null);
        await this.#openSession();
      }
      return send();
    });
  }

  /** Opens one session at a time, because two would start two histories. */
  #openSession(): Promise<void> {
    this.#opening ??= this.#newSession().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #newSession(): Promise<void> {
    const { sessions } = this.#options;
    const previousSession = sessions?.get();
    const body = { ...this.#identity, ...(previousSession && { previous_session: previousSession }) };
    const response = await this.#call('/session', { method: 'POST', body: JSON.stringify(body) });
    const created: { session: string } = await response.json();
    sessions?.set(created.session);
    this.#isKnown = true;
  }

  /** Under load the server requires a proof of work, sent in `answer`. */
  async #call(path: string, init: RequestInit = {}, answer: string | null = null): Promise<Response> {
    const { base, sessions, language } = this.#options;
    const session = sessions?.get();
    const headers = {
      ...(session && { authorization: `Bearer ${session}` }),
      ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
      // Texts that the server writes without an answer are in the language of the chat.
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
    const problem: { code?: string } = await response.json().catch(() => ({}));
    throw new ApiError(problem.code ?? 'unknown', {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')) || 0,
    });
  }
}

/** Yields the JSON of each event of a response as it arrives. It calls `onData` for every chunk. */
export async function* readFrames<Data>(
  response: Response,
  onData: () => void = () => {},
): AsyncGenerator<Data> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let unread = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    onData();
    const events = (unread + decoder.decode(value, { stream: true })).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      const data: Data = JSON.parse(event.slice(6));
      yield data;
    }
  }
}

/** Hashes between two pauses for the page's other work. */
const BATCH_SIZE = 256;

/**
 * Solves a proof of work: finds a number such that the hash of challenge and number begins with the required zero bits.
 * The browser hashes outside the main thread. Returns null on pages without https, where `crypto.subtle` is missing.
 */
async function solveChallenge(challenge: string): Promise<string | null> {
  const { bits } = parseTokenClaims(challenge);
  if (!isSecureContext || !bits) return null;
  const encoder = new TextEncoder();
  const isSolution = async (nonce: number) => {
    const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${nonce}`));
    return new DataView(hash).getUint32(0) >>> (32 - bits) === 0;
  };
  for (let from = 0; ; from += BATCH_SIZE) {
    const results = await Promise.all(
      Array.from({ length: BATCH_SIZE }, (_, index) => isSolution(from + index)),
    );
    const found = results.indexOf(true);
    if (found !== -1) return `${challenge} ${from + found}`;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Returns the claims of a JWT without verifying it; an empty object if it is not a JWT. */
export function parseTokenClaims(token: string): { sub?: string; bits?: number } {
  const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  try {
    return JSON.parse(atob(claims));
  } catch {
    return {};
  }
}
