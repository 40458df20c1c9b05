import type { Identity } from '../types.ts';
import { parseTokenClaims, type SessionStore } from './api.ts';

interface StoredState {
  session?: string;
  /** Whether a person may say something while the chat is closed. */
  watch?: boolean;
  /** Who it is, and since when: a page that says so again is nothing new. */
  user?: string;
  at?: number;
}

/** Keeps what is known of a visitor in the browser, for all pages of the site; or for this page where that is forbidden. */
export class StoredSession implements SessionStore {
  readonly #name: string;
  #kept: StoredState = {};
  #isShared = true;

  constructor(token: string) {
    this.#name = `parley:${token}`;
  }

  get(): string | null {
    return this.kept.session ?? null;
  }

  set(session: string | null): void {
    this.keep(session === null ? { session: undefined, watch: false, user: undefined } : { session });
  }

  /** As another tab may have left it just now. */
  get kept(): Readonly<StoredState> {
    if (this.#isShared) this.#kept = this.#load();
    return this.#kept;
  }

  keep(fields: { [Name in keyof StoredState]?: StoredState[Name] | undefined }): void {
    this.#kept = JSON.parse(JSON.stringify({ ...this.kept, ...fields }));
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#kept));
    } catch {
      // Forbidden here: then it is kept for this page.
      this.#isShared = false;
    }
  }

  #load(): StoredState {
    try {
      return JSON.parse(localStorage.getItem(this.#name) ?? '{}') ?? {};
    } catch {
      return this.#kept;
    }
  }
}

/** The integrator's own name for the visitor, as the proof claims it: whether it holds, the server decides. */
export function parseVisitorId({ user, verification_token: token }: Identity): string | undefined {
  return user === undefined ? parseTokenClaims(token ?? '').sub : user.user_id;
}

export function isSameVisitor(one: Identity, other: Identity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
