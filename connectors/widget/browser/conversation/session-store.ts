import type { Identity } from '../types.ts';
import { type SessionStore, tokenClaims } from './api.ts';

interface Kept {
  session?: string;
  /** Whether a person may say something while the chat is closed. */
  watch?: boolean;
  /** Who it is, and since when: a page that says so again is nothing new. */
  user?: string;
  at?: number;
}

/** Keeps what is known of a visitor in the browser, for all pages of the site; or for this page where that is forbidden. */
export class KeptSession implements SessionStore {
  readonly #name: string;
  #kept: Kept = {};
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
  get kept(): Readonly<Kept> {
    if (this.#isShared) this.#kept = this.#load();
    return this.#kept;
  }

  keep(fields: { [Name in keyof Kept]?: Kept[Name] | undefined }): void {
    this.#kept = JSON.parse(JSON.stringify({ ...this.kept, ...fields }));
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#kept));
    } catch {
      // Forbidden here: then it is kept for this page.
      this.#isShared = false;
    }
  }

  #load(): Kept {
    try {
      return JSON.parse(localStorage.getItem(this.#name) ?? '{}') ?? {};
    } catch {
      return this.#kept;
    }
  }
}

/** The integrator's own name for the visitor, as the proof claims it: whether it holds, the server decides. */
export function visitorIn({ user, verification_token: token }: Identity): string | undefined {
  return user === undefined ? tokenClaims(token ?? '').sub : user.user_id;
}

export function sameVisitor(one: Identity, other: Identity): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
