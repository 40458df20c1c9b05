import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { Logger } from '../log.ts';
import type { ProcessRegistry } from '../process/process-registry.ts';
import type { JobQueue } from '../queue/queue.ts';

interface Dependencies {
  readonly processes: Pick<ProcessRegistry, 'canWrite' | 'hasLiveProcess'>;
  readonly queue: Pick<JobQueue, 'ping'>;
  readonly embedder: Pick<Embedder, 'engine' | 'check'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** `failed` takes the process out of service; with a `degraded` part it still serves. */
type PartState = 'ok' | 'degraded' | 'failed';

interface PartStates {
  /** Whether this process can write to it. */
  readonly database: PartState;
  /** Absent in a process that neither searches nor indexes. */
  readonly embedder?: PartState;
  readonly queue: PartState;
  /** Whether any process does background work. */
  readonly workers: PartState;
}

type Part = keyof PartStates;

interface Check {
  readonly part: Part;
  /** False, or a rejection: the part does not work. */
  readonly ask: () => Promise<unknown>;
  /** What the part is when it does not work. */
  readonly otherwise: PartState;
}

/** Load balancers and scrapers may ask often; the parts are asked once in this time. */
const cacheMs = 1_000;
/** What is older says too little; a part that fails is told at the latest after this and its patience. */
const staleMs = 3_000;
const patienceMs = 2_000;
/** Of parts that this process can do without: load balancers take a check for failed after a second, often. */
const shortPatienceMs = 500;
/** By then another server takes the requests, or this one is back. */
const retrySeconds = 2;

/** Whether requests and jobs should be sent to this process, and which of its parts work. */
export class Readiness {
  readonly #checks: readonly Check[];
  readonly #log: Dependencies['log'];
  readonly #told = new Map<Part, PartState>();
  #asked: { readonly at: number; readonly states: Promise<PartStates> } | undefined;
  #known: { readonly at: number; readonly states: PartStates } | undefined;
  #isAsking = false;
  #isLeaving = false;

  constructor({ processes, queue, embedder, log }: Dependencies) {
    this.#log = log;
    // A provider's outage is no reason: every other process lacks it as well, and words alone find much meanwhile.
    const withoutEmbedder = embedder.engine === 'remote' ? 'degraded' : 'failed';
    const searching: Check = { part: 'embedder', ask: () => embedder.check(), otherwise: withoutEmbedder };
    this.#checks = [
      { part: 'database', ask: () => processes.canWrite(), otherwise: 'failed' },
      ...(embedder.engine === 'none' ? [] : [searching]),
      { part: 'queue', ask: () => queue.ping(), otherwise: 'degraded' },
      { part: 'workers', ask: () => processes.hasLiveProcess('workers'), otherwise: 'degraded' },
    ];
  }

  /** From now on the process is not ready, whatever its parts do: it is about to stop. */
  leave(): void {
    this.#isLeaving = true;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * The state of each part. Never rejects: a part that does not answer soon does not work. Whoever asks often gets what is
   * known, at once, while the parts are asked again: on a busy machine they take longer than a load balancer waits.
   */
  async parts(): Promise<PartStates> {
    const now = performance.now();
    if (this.#asked === undefined || (!this.#isAsking && now - this.#asked.at > cacheMs)) {
      this.#asked = { at: now, states: this.#askAll() };
    }
    if (this.#known !== undefined && now - this.#known.at < staleMs) return this.#known.states;
    return this.#asked.states;
  }

  /** Null while the process is ready; else `deploying` or `not_ready`. */
  refusal(parts: PartStates): AppError | null {
    if (this.#isLeaving) return deployingError();
    const failed = Object.entries(parts).flatMap(([part, state]) => (state === 'failed' ? [part] : []));
    if (failed.length === 0) return null;
    return new AppError('not_ready', { detail: `These parts do not work: ${failed.join(', ')}.` });
  }

  async #askAll(): Promise<PartStates> {
    const states: PartStates = { database: 'failed', queue: 'degraded', workers: 'degraded' };
    this.#isAsking = true;
    const asked = await Promise.all(
      this.#checks.map(async (check) => [check.part, await this.#ask(check)] as const),
    );
    const known = { ...states, ...Object.fromEntries(asked) };
    this.#known = { at: performance.now(), states: known };
    this.#isAsking = false;
    return known;
  }

  async #ask({ part, ask, otherwise }: Check): Promise<PartState> {
    const patience = new AbortController();
    const longest = otherwise === 'degraded' ? shortPatienceMs : patienceMs;
    const silence = wait(longest, false, { signal: patience.signal });
    let fault: unknown;
    try {
      if ((await Promise.race([ask(), silence])) !== false) return this.#tell(part, 'ok');
    } catch (error) {
      fault = error;
    } finally {
      silence.catch(() => {});
      patience.abort();
    }
    return this.#tell(part, otherwise, fault);
  }

  /** A line where a part changed, and none for each time that somebody asks. */
  #tell(part: Part, state: PartState, err?: unknown): PartState {
    const before = this.#told.get(part) ?? 'ok';
    this.#told.set(part, state);
    if (state === before) return state;
    if (state === 'ok') this.#log.info({ part }, 'part works again');
    else this.#log.warn({ part, state, err }, 'part does not work');
    return state;
  }
}

/** What a server answers that is about to stop. */
export function deployingError(): AppError {
  return new AppError('deploying', { retryAfterSeconds: retrySeconds });
}
