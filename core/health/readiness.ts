import { setTimeout as wait } from 'node:timers/promises';
import { runInBackground } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { broken, type Look, type Part, type PartReport, type PartState, unknown } from './part.ts';
import { listParts, type PartDependencies } from './parts.ts';

interface Dependencies extends PartDependencies {
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The state of each part by its name. */
type PartStates = Readonly<Record<string, PartState>>;

interface Seen {
  readonly look: Look;
  readonly state: PartState;
  readonly at: number;
}

/** Minimum interval between two checks, because load balancers and scrapers may ask often. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * A cached result is used for at most this time. A failure is reported at the latest after this time plus the
 * check's timeout.
 */
const MAX_AGE_MS = 3_000;
const TIMEOUT_MS = 2_000;
/**
 * Timeout for parts that the process can do without. Shorter, because load balancers often count a check as
 * failed after one second.
 */
const SHORT_TIMEOUT_MS = 500;
/** A person who asks for what holds now waits for it. */
const FRESH_TIMEOUT_MS = 15_000;
/** A part that starts later may take this time from the start of the process: workers load a model and build indexes. */
const START_MS = 60_000;
/** By then another server handles the requests, or this one is ready again. */
const RETRY_SECONDS = 2;

/** Tells whether requests and jobs should be sent to this process, and which parts of the installation hold what they promise. */
export class Readiness {
  readonly #parts: readonly Part[];
  readonly #dependencies: Dependencies;
  readonly #seen = new Map<string, Seen>();
  readonly #since = new Map<string, { readonly state: PartState; readonly at: Date }>();
  readonly #slowly = new Set<string>();
  readonly #logged = new Map<string, PartState>();
  readonly #startedAt = performance.now();
  #lastCheck: { readonly at: number; readonly states: Promise<PartStates> } | undefined;
  #cached: { readonly at: number; readonly states: PartStates } | undefined;
  #isChecking = false;
  #isLeaving = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#parts = listParts(dependencies);
  }

  /** Marks the process as not ready from now on, because it is about to stop. */
  leave(): void {
    this.#isLeaving = true;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * Returns the state of each part. It never rejects: a part that does not respond in time does not work. Frequent
   * callers get the cached result at once while the parts are checked again, because on a busy machine the
   * checks take longer than a load balancer waits.
   */
  async parts(): Promise<PartStates> {
    const now = performance.now();
    if (
      this.#lastCheck === undefined ||
      (!this.#isChecking && now - this.#lastCheck.at > CHECK_INTERVAL_MS)
    ) {
      this.#lastCheck = { at: now, states: this.#checkAll() };
    }
    if (this.#cached !== undefined && now - this.#cached.at < MAX_AGE_MS) return this.#cached.states;
    return this.#lastCheck.states;
  }

  /** Returns each part with its promise, what was seen and what to do. `isFresh` looks at all of them now, slow ones too. */
  async report({ isFresh = false }: { readonly isFresh?: boolean } = {}): Promise<readonly PartReport[]> {
    if (isFresh) await Promise.all(this.#parts.map((part) => this.#lookNow(part, FRESH_TIMEOUT_MS, true)));
    else await this.parts();
    return this.#parts.map((part) => {
      const { look, state } = this.#seen.get(part.name) ?? notYet;
      const since = this.#since.get(part.name)?.at ?? this.#dependencies.clock.now();
      const advice = state === 'ok' ? null : (look.advice ?? part.advice);
      const { name, worker, promise } = part;
      return { part: name, worker, promise, state, seen: look.seen, advice, since };
    });
  }

  /** Null while the process is ready, otherwise `deploying` or `not_ready`. */
  refusal(parts: PartStates): AppError | null {
    if (this.#isLeaving) return deployingError();
    const failed = Object.entries(parts).flatMap(([part, state]) => (state === 'failed' ? [part] : []));
    if (failed.length === 0) return null;
    return new AppError('not_ready', { detail: `These components are not working: ${failed.join(', ')}.` });
  }

  async #checkAll(): Promise<PartStates> {
    this.#isChecking = true;
    const states = await Promise.all(
      this.#parts.map(async (part) => [part.name, await this.#check(part)] as const),
    );
    const current = Object.fromEntries(states);
    this.#cached = { at: performance.now(), states: current };
    this.#isChecking = false;
    return current;
  }

  async #check(part: Part): Promise<PartState> {
    const seen = this.#seen.get(part.name);
    if (seen !== undefined && performance.now() - seen.at < (part.holdsMs ?? 0)) return seen.state;
    if (part.isSlow === true) {
      this.#lookSlowly(part);
      return (this.#seen.get(part.name) ?? notYet).state;
    }
    return this.#lookNow(part, part.stateIfBroken === 'degraded' ? SHORT_TIMEOUT_MS : TIMEOUT_MS);
  }

  #lookSlowly(part: Part): void {
    if (this.#slowly.has(part.name)) return;
    this.#slowly.add(part.name);
    const look = async () => {
      try {
        await this.#lookNow(part, FRESH_TIMEOUT_MS);
      } finally {
        this.#slowly.delete(part.name);
      }
    };
    runInBackground(look(), (err) =>
      this.#dependencies.log.warn({ err, part: part.name }, 'part not checked'),
    );
  }

  async #lookNow(part: Part, timeoutMs: number, isFresh = false): Promise<PartState> {
    const cancelTimeout = new AbortController();
    const timedOut = wait(timeoutMs, null, { signal: cancelTimeout.signal });
    let fault: unknown;
    let look: Look;
    const unseen = part.answers === true ? broken : unknown;
    try {
      look = (await Promise.race([part.look(isFresh), timedOut])) ?? unseen('It did not answer in time.');
    } catch (error) {
      fault = error;
      look = unseen(part.answers === true ? 'It does not work.' : 'It could not be checked.');
    } finally {
      timedOut.catch(() => {});
      cancelTimeout.abort();
    }
    const state = this.#judge(part, look, fault);
    this.#seen.set(part.name, { look, state, at: performance.now() });
    return state;
  }

  #judge(part: Part, look: Look, fault: unknown): PartState {
    const state = look.state === 'broken' || look.state === 'absent' ? part.stateIfBroken : look.state;
    const isStarting =
      look.state === 'absent' &&
      !this.#logged.has(part.name) &&
      performance.now() - this.#startedAt < START_MS;
    if (isStarting) return this.#noteState(part, 'starting');
    this.#logChange(part, state, { seen: look.seen, err: fault });
    return this.#noteState(part, state);
  }

  #noteState({ name }: Part, state: PartState): PartState {
    if (this.#since.get(name)?.state !== state) {
      this.#since.set(name, { state, at: this.#dependencies.clock.now() });
    }
    return state;
  }

  /** Logs changes only, not every check. */
  #logChange(
    { name }: Part,
    state: PartState,
    { seen, err }: { readonly seen: string; readonly err: unknown },
  ): void {
    // A process that is about to stop closes its own parts. That is no failure.
    if (state === 'unknown' || this.#isLeaving) return;
    const { log } = this.#dependencies;
    const before = this.#logged.get(name) ?? 'ok';
    this.#logged.set(name, state);
    if (state === before) return;
    if (state === 'ok') log.info({ part: name }, 'part recovered');
    else log.warn({ part: name, state, seen, err }, 'part failed');
  }
}

const notYet: Seen = { look: unknown('It is being checked.'), state: 'unknown', at: 0 };

/** Returns the error of a server that is about to stop. */
export function deployingError(): AppError {
  return new AppError('deploying', { retryAfterSeconds: RETRY_SECONDS });
}
