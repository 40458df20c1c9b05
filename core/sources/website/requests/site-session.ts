import { LRUCache } from 'lru-cache';
import { CookieJar } from './cookies.ts';

const MAX_SESSIONS = 500;
const MAX_IDLE_MS = 3_600_000;

/** The cookies and the pace of a run, which last from one slice to the next while the same process works on it. */
export class SiteSession {
  readonly cookies = new CookieJar();
  /** When each host may be asked next. */
  readonly turns = new Map<string, number>();
}

/** The sessions of the runs that a process works on. */
export class SiteSessions {
  readonly #sessions = new LRUCache<string, SiteSession>({ max: MAX_SESSIONS, ttl: MAX_IDLE_MS });

  open(runId: string): SiteSession {
    const session = this.#sessions.get(runId) ?? new SiteSession();
    this.#sessions.set(runId, session);
    return session;
  }
}
