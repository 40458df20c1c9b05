import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { ErrorCode } from '../base/error-catalogue.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { createLogThrottle } from '../base/log.ts';
import { toAddressGroup } from './public-rate.ts';

export type CredentialKind = keyof typeof wrongCodes;

export interface Attempt {
  readonly kind: CredentialKind;
  /** The client's address, determined according to TRUST_PROXY. */
  readonly address: string;
  /** The presented credential. Only a hash of it is stored. */
  readonly credential: string;
  /** The session or account that the credential is tried for, which has a limit of its own beside that of the address. */
  readonly subject?: string | undefined;
  /**
   * True if a person may have chosen the credential. If a correct one passed after too many failures, a client
   * could keep guessing and see which guess passes. A credential with at least 128 random bits cannot be
   * guessed.
   */
  readonly isGuessable?: boolean;
  /** True for a name that may become a correct one at any time, such as a page's. A wrong one is looked up each time. */
  readonly isName?: boolean;
}

interface Dependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Counts a wrong credential. */
  readonly count: (kind: CredentialKind) => void;
}

/** Failures of one kind and address group. Both counters decrease by 20 per minute. */
interface Level {
  /** Wrong credentials, including repeated ones. */
  failures: number;
  /** Wrong credentials that were looked up, and look-ups in progress. */
  lookUps: number;
  at: number;
}

const MAX_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_CACHED = 10_000;

/** Error codes with which a look-up rejects a wrong credential. */
const wrongCodes = {
  operator: ['invalid_key'],
  api_key: ['invalid_key', 'expired_key'],
  session: ['invalid_session'],
  public_token: ['channel_not_found'],
  slug: ['channel_not_found'],
  link: ['link_expired'],
  install_link: ['install_link_not_found'],
  file: ['attachment_not_found'],
  password: ['invalid_password'],
  public_workspace: ['workspace_not_found'],
} as const satisfies Record<string, readonly ErrorCode[]>;

/**
 * Limits wrong credentials to 20 per minute and address group, and 20 per session or account where the attempt names one, for each
 * kind and process, before any look-up.
 * An address group is an IPv4 address (neighbours in a /24 are unrelated clients) or an IPv6 /64 network.
 * Credentials that were correct before always pass, so that guesses from a shared address do not lock out
 * others. Wrong credentials are cached for a minute.
 */
export class GuessLimit {
  readonly #dependencies: Dependencies;
  readonly #isNews: (what: string) => boolean;
  readonly #correct: LRUCache<string, true>;
  readonly #wrong: LRUCache<string, AppError>;
  readonly #levels: LRUCache<string, Level>;
  /** First look-ups in progress. Requests with the same credential wait for the result. */
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#isNews = createLogThrottle(dependencies.clock);
    const perf = { now: () => dependencies.clock.now().getTime() };
    const cacheOptions = { max: MAX_CACHED, ttlResolution: 0, perf };
    this.#correct = new LRUCache({ ...cacheOptions, ttl: DAY_MS, updateAgeOnGet: true });
    this.#wrong = new LRUCache({ ...cacheOptions, ttl: MINUTE_MS });
    this.#levels = new LRUCache({ ...cacheOptions, ttl: MINUTE_MS });
  }

  /**
   * Returns the result of `lookUp`, which throws an error of this kind for a wrong credential. Throws
   * `rate_limit_minute` after too many failures, and the cached error for a credential known to be wrong.
   */
  async check<Result>(attempt: Attempt, lookUp: () => Promise<Result>): Promise<Result> {
    const id = hashCredential(attempt.kind, attempt.credential);
    while (this.#pending.has(id)) await this.#pending.get(id);
    if (this.#correct.get(id)) return this.#lookUp(attempt, lookUp);
    const levels = this.#getLevels(attempt);
    const cachedError = this.#wrong.get(id);
    if (cachedError !== undefined) {
      for (const level of levels) this.#throwAbove(level.failures, attempt);
      this.#recordFailure(attempt);
      throw new AppError(cachedError.code, { detail: cachedError.message });
    }
    for (const level of levels) this.#throwAbove(level.lookUps, attempt);
    for (const level of levels) level.lookUps += 1;
    const first = this.#lookUp(attempt, lookUp);
    const settled = first.then(
      () => this.#releaseLookUp(attempt),
      (error: unknown) => isWrong(attempt.kind, error) || this.#releaseLookUp(attempt),
    );
    this.#pending.set(id, settled);
    await settled;
    this.#pending.delete(id);
    return first;
  }

  /** Marks a newly created credential as correct, so that it passes at once from any address. */
  recognise(kind: CredentialKind, credential: string): void {
    const id = hashCredential(kind, credential);
    this.#wrong.delete(id);
    this.#correct.set(id, true);
  }

  /** Looks wrong credentials up again: one of them became correct. Other processes do so within a minute. */
  reconsider(): void {
    this.#wrong.clear();
  }

  async #lookUp<Result>(attempt: Attempt, lookUp: () => Promise<Result>): Promise<Result> {
    const id = hashCredential(attempt.kind, attempt.credential);
    try {
      const result = await lookUp();
      if (attempt.isGuessable !== true) this.#correct.set(id, true);
      return result;
    } catch (error) {
      if (isWrong(attempt.kind, error)) {
        this.#correct.delete(id);
        if (attempt.isName !== true) this.#wrong.set(id, error);
        this.#recordFailure(attempt);
      }
      throw error;
    }
  }

  #recordFailure(attempt: Attempt): void {
    for (const level of this.#getLevels(attempt)) {
      level.failures = Math.min(MAX_PER_MINUTE, level.failures + 1);
    }
    this.#dependencies.count(attempt.kind);
  }

  #releaseLookUp(attempt: Attempt): void {
    for (const level of this.#getLevels(attempt)) level.lookUps = Math.max(0, level.lookUps - 1);
  }

  #throwAbove(level: number, { kind, address }: Attempt): void {
    const excess = level + 1 - MAX_PER_MINUTE;
    if (excess <= 0) return;
    if (this.#isNews(kind)) {
      this.#dependencies.log.warn(
        { kind, address: toAddressGroup(address) },
        'authentication failures throttled',
      );
    }
    throw new AppError('rate_limit_minute', {
      detail: `At most ${MAX_PER_MINUTE} failed attempts per minute are allowed from one address.`,
      retryAfterSeconds: Math.ceil((excess * MINUTE_MS) / MAX_PER_MINUTE / 1_000),
    });
  }

  /** That of the address, and that of the session or account. */
  #getLevels({ kind, address, subject }: Attempt): readonly Level[] {
    const group = this.#getLevel(`${kind} ${toAddressGroup(address)}`);
    return subject === undefined ? [group] : [group, this.#getLevel(`${kind} of ${subject}`)];
  }

  #getLevel(name: string): Level {
    const now = this.#dependencies.clock.now().getTime();
    const level = this.#levels.get(name) ?? { failures: 0, lookUps: 0, at: now };
    const fallen = (Math.max(0, now - level.at) * MAX_PER_MINUTE) / MINUTE_MS;
    level.failures = Math.max(0, level.failures - fallen);
    level.lookUps = Math.max(0, level.lookUps - fallen);
    level.at = now;
    this.#levels.set(name, level);
    return level;
  }
}

function isWrong(kind: CredentialKind, error: unknown): error is AppError {
  const codes: readonly ErrorCode[] = wrongCodes[kind];
  return error instanceof AppError && codes.includes(error.code);
}

function hashCredential(kind: CredentialKind, credential: string): string {
  return createHash('sha256').update(`${kind} ${credential}`).digest('base64url');
}
