import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { ProcessRegistry } from '../storage/process-registry.ts';

interface Dependencies {
  readonly processes: Pick<ProcessRegistry, 'canWrite' | 'hasLiveProcess'>;
  readonly queue: Pick<JobQueue, 'ping'>;
  readonly embedder: Pick<Embedder, 'engine' | 'check'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * A `failed` part makes the process unready. A process with a `degraded` part still serves requests; so does one with a
 * part that is `starting`, which is no fault yet.
 */
type PartState = 'ok' | 'starting' | 'degraded' | 'failed';

interface PartStates {
  /** State of the database for writes. */
  readonly database: PartState;
  /** Absent in a process that neither searches nor indexes. */
  readonly embedder?: PartState;
  readonly queue: PartState;
  /** `ok` if any process runs background work. */
  readonly workers: PartState;
}

type Part = keyof PartStates;

interface Check {
  readonly part: Part;
  /** The part does not work if it resolves with false or rejects. */
  readonly ask: () => Promise<unknown>;
  /** The state of the part if it does not work. */
  readonly stateOnFailure: 'degraded' | 'failed';
  /** True if another process may still be starting the part when this one begins. */
  readonly startsLater?: boolean;
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
/** A part that starts later may take this time from the start of the process: workers load a model and build indexes. */
const START_MS = 60_000;
/** By then another server handles the requests, or this one is ready again. */
const RETRY_SECONDS = 2;

/** Tells whether requests and jobs should be sent to this process, and which of its parts work. */
export class Readiness {
  readonly #checks: readonly Check[];
  readonly #log: Dependencies['log'];
  readonly #logged = new Map<Part, PartState>();
  readonly #startedAt = performance.now();
  #lastCheck: { readonly at: number; readonly states: Promise<PartStates> } | undefined;
  #cached: { readonly at: number; readonly states: PartStates } | undefined;
  #isChecking = false;
  #isLeaving = false;

  constructor({ processes, queue, embedder, log }: Dependencies) {
    this.#log = log;
    // A provider's outage does not make the process unready: every other process is affected as well, and
    // keyword search still works.
    const embedderFailure = embedder.engine === 'remote' ? 'degraded' : 'failed';
    const embedderCheck: Check = {
      part: 'embedder',
      ask: () => embedder.check(),
      stateOnFailure: embedderFailure,
    };
    this.#checks = [
      { part: 'database', ask: () => processes.canWrite(), stateOnFailure: 'failed' },
      ...(embedder.engine === 'none' ? [] : [embedderCheck]),
      { part: 'queue', ask: () => queue.ping(), stateOnFailure: 'degraded' },
      {
        part: 'workers',
        ask: () => processes.hasLiveProcess('workers'),
        stateOnFailure: 'degraded',
        startsLater: true,
      },
    ];
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

  /** Null while the process is ready, otherwise `deploying` or `not_ready`. */
  refusal(parts: PartStates): AppError | null {
    if (this.#isLeaving) return deployingError();
    const failed = Object.entries(parts).flatMap(([part, state]) => (state === 'failed' ? [part] : []));
    if (failed.length === 0) return null;
    return new AppError('not_ready', { detail: `These components are not working: ${failed.join(', ')}.` });
  }

  async #checkAll(): Promise<PartStates> {
    const states: PartStates = { database: 'failed', queue: 'degraded', workers: 'degraded' };
    this.#isChecking = true;
    const results = await Promise.all(
      this.#checks.map(async (check) => [check.part, await this.#runCheck(check)] as const),
    );
    const current = { ...states, ...Object.fromEntries(results) };
    this.#cached = { at: performance.now(), states: current };
    this.#isChecking = false;
    return current;
  }

  async #runCheck({ part, ask, stateOnFailure, startsLater = false }: Check): Promise<PartState> {
    const cancelTimeout = new AbortController();
    const timeoutMs = stateOnFailure === 'degraded' ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
    const timedOut = wait(timeoutMs, false, { signal: cancelTimeout.signal });
    let fault: unknown;
    try {
      if ((await Promise.race([ask(), timedOut])) !== false) return this.#logChange(part, 'ok');
    } catch (error) {
      fault = error;
    } finally {
      timedOut.catch(() => {});
      cancelTimeout.abort();
    }
    const isStarting =
      startsLater &&
      fault === undefined &&
      !this.#logged.has(part) &&
      performance.now() - this.#startedAt < START_MS;
    return isStarting ? 'starting' : this.#logChange(part, stateOnFailure, fault);
  }

  /** Logs changes only, not every check. */
  #logChange(part: Part, state: PartState, err?: unknown): PartState {
    const before = this.#logged.get(part) ?? 'ok';
    this.#logged.set(part, state);
    if (state === before) return state;
    if (state === 'ok') this.#log.info({ part }, 'part recovered');
    else this.#log.warn({ part, state, err }, 'part failed');
    return state;
  }
}

/** Returns the error of a server that is about to stop. */
export function deployingError(): AppError {
  return new AppError('deploying', { retryAfterSeconds: RETRY_SECONDS });
}
