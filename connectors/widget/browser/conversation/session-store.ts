import type { Identity } from '../types.ts';
import { parseTokenClaims, type SessionStore } from './api.ts';

interface StoredState {
  session?: string;
  /** Whether an agent may write while the chat is closed. */
  watch?: boolean;
  /** The visitor's id and the time of identification, so that a repeated `identify` has no effect. */
  user?: string;
  at?: number;
}

/** Stores the visitor's session in localStorage, for all pages of the site; in memory if storage is forbidden. */
export class StoredSession implements SessionStore {
  readonly #name: string;
  #state: StoredState = {};
  #isShared = true;

  constructor(token: string) {
    this.#name = `parley:${token}`;
  }

  get(): string | null {
    return this.state.session ?? null;
  }

  set(session: string | null): void {
    this.update(session === null ? { session: undefined, watch: false, user: undefined } : { session });
  }

  /** Reads the state again, because another tab may have changed it. */
  get state(): Readonly<StoredState> {
    if (this.#isShared) this.#state = this.#load();
    return this.#state;
  }

  update(fields: { [Name in keyof StoredState]?: StoredState[Name] | undefined }): void {
    this.#state = JSON.parse(JSON.stringify({ ...this.state, ...fields }));
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#state));
    } catch {
      // Storage is forbidden here: the state lasts as long as the page.
      this.#isShared = false;
    }
  }

  #load(): StoredState {
    try {
      return JSON.parse(localStorage.getItem(this.#name) ?? '{}') ?? {};
    } catch {
      return this.#state;
    }
  }
}

/** Returns the integrator's id of the visitor, as the token claims it. Only the server verifies it. */
export function parseVisitorId({ user, verification_token: token }: Identity): string | undefined {
  return user === undefined ? parseTokenClaims(token ?? '').sub : user.user_id;
}

export function isSameVisitor(one: Identity, other: Identity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
