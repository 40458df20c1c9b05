import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Logger } from '../log.ts';
import { createLogThrottle } from '../log.ts';
import { toAddressGroup } from './public-rate.ts';

export type CredentialKind = 'operator' | 'api_key' | 'session' | 'public_token';

export interface Attempt {
  readonly kind: CredentialKind;
  /** The client's address, as TRUST_PROXY tells it. */
  readonly address: string;
  /** What the client shows. It is kept as a hash only. */
  readonly credential: string;
  /**
   * Whether the credential may have been chosen by a person. If a right one passed after too many failures, a client
   * could go on guessing for ever and see which guess passes; one of 128 random bits or more cannot be guessed.
   */
  readonly isGuessable?: boolean;
}

interface Dependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of every wrong credential. */
  readonly count: (kind: CredentialKind) => void;
}

/** Of one kind and address group; both fall again by 20 a minute. */
interface Level {
  /** Wrong credentials, repetitions included. */
  failures: number;
  /** Wrong credentials that had to be looked up, and look-ups in progress. */
  lookUps: number;
  at: number;
}

const mostAMinute = 20;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const mostRemembered = 10_000;

/** The errors by which a look-up says that a credential is wrong. */
const wrongCodes: Readonly<Record<CredentialKind, readonly ErrorCode[]>> = {
  operator: ['invalid_key'],
  api_key: ['invalid_key', 'expired_key'],
  session: ['invalid_session'],
  public_token: ['channel_not_found'],
};

/**
 * Bounds wrong credentials to 20 a minute from one address, for each kind and process, before anything is looked up. An
 * address is a whole IPv4 address (its neighbours in a /24 are other people) or an IPv6 /64 network. Credentials that
 * were right before pass all the same, so that a neighbour's guesses lock nobody out; wrong ones are remembered for a
 * minute and not looked up again.
 */
export class GuessLimit {
  readonly #dependencies: Dependencies;
  readonly #isNews: (what: string) => boolean;
  readonly #right: LRUCache<string, true>;
  readonly #wrong: LRUCache<string, AppError>;
  readonly #levels: LRUCache<string, Level>;
  /** First look-ups in progress: the same credential waits for the outcome. */
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#isNews = createLogThrottle(dependencies.clock);
    const perf = { now: () => dependencies.clock.now().getTime() };
    const remembered = { max: mostRemembered, ttlResolution: 0, perf };
    this.#right = new LRUCache({ ...remembered, ttl: dayMs, updateAgeOnGet: true });
    this.#wrong = new LRUCache({ ...remembered, ttl: minuteMs });
    this.#levels = new LRUCache({ ...remembered, ttl: minuteMs });
  }

  /**
   * The result of `lookUp`, which throws the error of a wrong credential of this kind. Throws `rate_limit_minute` after
   * too many failures, and the error of before for a credential that is known to be wrong.
   */
  async check<Result>(attempt: Attempt, lookUp: () => Promise<Result>): Promise<Result> {
    const id = idOf(attempt.kind, attempt.credential);
    while (this.#pending.has(id)) await this.#pending.get(id);
    if (this.#right.get(id)) return this.#lookUp(attempt, lookUp);
    const level = this.#levelOf(attempt);
    const known = this.#wrong.get(id);
    if (known !== undefined) {
      this.#refuseAbove(level.failures, attempt);
      this.#noteFailure(attempt);
      throw new AppError(known.code, { detail: known.message });
    }
    this.#refuseAbove(level.lookUps, attempt);
    level.lookUps += 1;
    const first = this.#lookUp(attempt, lookUp);
    const settled = first.then(
      () => this.#giveBack(attempt),
      (error: unknown) => isWrong(attempt.kind, error) || this.#giveBack(attempt),
    );
    this.#pending.set(id, settled);
    await settled;
    this.#pending.delete(id);
    return first;
  }

  /** A credential that was made just now is right: it passes at once, from any address. */
  recognise(kind: CredentialKind, credential: string): void {
    const id = idOf(kind, credential);
    this.#wrong.delete(id);
    this.#right.set(id, true);
  }

  async #lookUp<Result>(attempt: Attempt, lookUp: () => Promise<Result>): Promise<Result> {
    const id = idOf(attempt.kind, attempt.credential);
    try {
      const result = await lookUp();
      if (attempt.isGuessable !== true) this.#right.set(id, true);
      return result;
    } catch (error) {
      if (isWrong(attempt.kind, error)) {
        this.#right.delete(id);
        this.#wrong.set(id, error);
        this.#noteFailure(attempt);
      }
      throw error;
    }
  }

  #noteFailure(attempt: Attempt): void {
    const level = this.#levelOf(attempt);
    level.failures = Math.min(mostAMinute, level.failures + 1);
    this.#dependencies.count(attempt.kind);
  }

  #giveBack(attempt: Attempt): void {
    const level = this.#levelOf(attempt);
    level.lookUps = Math.max(0, level.lookUps - 1);
  }

  #refuseAbove(level: number, { kind, address }: Attempt): void {
    const excess = level + 1 - mostAMinute;
    if (excess <= 0) return;
    if (this.#isNews(kind)) {
      this.#dependencies.log.warn(
        { kind, address: toAddressGroup(address) },
        'authentication failures throttled',
      );
    }
    throw new AppError('rate_limit_minute', {
      detail: `At most ${mostAMinute} failed attempts a minute from one address.`,
      retryAfterSeconds: Math.ceil((excess * minuteMs) / mostAMinute / 1_000),
    });
  }

  #levelOf({ kind, address }: Attempt): Level {
    const name = `${kind} ${toAddressGroup(address)}`;
    const now = this.#dependencies.clock.now().getTime();
    const level = this.#levels.get(name) ?? { failures: 0, lookUps: 0, at: now };
    const fallen = (Math.max(0, now - level.at) * mostAMinute) / minuteMs;
    level.failures = Math.max(0, level.failures - fallen);
    level.lookUps = Math.max(0, level.lookUps - fallen);
    level.at = now;
    this.#levels.set(name, level);
    return level;
  }
}

function isWrong(kind: CredentialKind, error: unknown): error is AppError {
  return error instanceof AppError && wrongCodes[kind].includes(error.code);
}

function idOf(kind: CredentialKind, credential: string): string {
  return createHash('sha256').update(`${kind} ${credential}`).digest('base64url');
}
