import { parseCookie } from 'undici';

const MAX_COOKIES = 100;
const MAX_CHARACTERS = 4_096;

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  /** Whether the cookie is also sent to the hosts below `host`. */
  readonly isShared: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  readonly expiresAt: number;
}

/**
 * The cookies of one run of one site: some ask for one before they show a page. They go to the host that set them, or to the
 * domain that it names. No host of another site is asked in a run, so no list of public suffixes is needed.
 */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();
  #changes = 0;

  /** Counts up with each cookie that is new or has another value. */
  get changes(): number {
    return this.#changes;
  }

  store(address: string, lines: readonly string[], now: Date): void {
    for (const line of lines) if (line.length <= MAX_CHARACTERS) this.#set(new URL(address), line, now);
  }

  /** Returns the header for an address, or null if there is none. */
  headerFor(address: string, now: Date): string | null {
    const url = new URL(address);
    const sent = [...this.#cookies.values()].filter((cookie) => isSentTo(cookie, url, now));
    return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #set({ hostname, protocol, pathname }: URL, line: string, now: Date): void {
    const cookie = readCookie(line);
    const host = cookie?.domain?.replace(/^\./, '').toLowerCase() ?? hostname;
    if (cookie === null || (host !== hostname && !hostname.endsWith(`.${host}`))) return;
    if (cookie.secure === true && protocol !== 'https:') return;
    const path = cookie.path?.startsWith('/') === true ? cookie.path : folderOf(pathname);
    const key = JSON.stringify([cookie.name, host, path]);
    const expiresAt = expiryOf(cookie, now);
    const before = this.#cookies.get(key);
    this.#cookies.delete(key);
    if (expiresAt <= now.getTime()) return;
    if (before?.value !== cookie.value) this.#changes += 1;
    const { name, value } = cookie;
    const isShared = cookie.domain !== undefined;
    this.#cookies.set(key, {
      name,
      value,
      host,
      isShared,
      path,
      isSecure: cookie.secure === true,
      expiresAt,
    });
    for (const oldest of this.#cookies.keys())
      if (this.#cookies.size > MAX_COOKIES) this.#cookies.delete(oldest);
  }
}

type Cookie = NonNullable<ReturnType<typeof parseCookie>>;

/** Null for a line that is no cookie. */
function readCookie(line: string): Cookie | null {
  try {
    return parseCookie(line);
  } catch {
    // The parser refuses names and values that no header may have.
    return null;
  }
}

function expiryOf({ maxAge, expires }: Cookie, now: Date): number {
  if (maxAge !== undefined) return now.getTime() + maxAge * 1_000;
  return expires === undefined ? Number.POSITIVE_INFINITY : new Date(expires).getTime();
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

function isSentTo(cookie: StoredCookie, { hostname, protocol, pathname }: URL, now: Date): boolean {
  const { host, isShared, path, isSecure, expiresAt } = cookie;
  const isHost = hostname === host || (isShared && hostname.endsWith(`.${host}`));
  const isBelow = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  return isHost && isBelow && (!isSecure || protocol === 'https:') && expiresAt > now.getTime();
}
