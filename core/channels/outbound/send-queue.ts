import { LRUCache } from 'lru-cache';
import type { AdaptiveConcurrencyOptions } from '../../queue/adaptive-concurrency.ts';
import { FairQueue } from '../../queue/fair-queue.ts';
import { type LaneKey, laneSessionId } from '../inbound/lane.ts';
import type { AccountBudget, BudgetWait } from './send-budgets.ts';

interface BudgetQueue {
  readonly everyMs: number;
  /** Lanes that were called before the budget was ready. They come first. */
  readonly recalled: LaneKey[];
  /** Waiting lanes by channel. Channels of one app share a budget. */
  readonly waiting: FairQueue<LaneKey>;
  /** No lane is called before this time. */
  earliest: number;
  timer: NodeJS.Timeout | undefined;
}

interface WaitQueueOptions {
  /** Current time in milliseconds. */
  readonly now: () => number;
  /** Wakes a worker for the lane. */
  readonly call: (lane: LaneKey) => void;
}

/** Called lanes are worked on at once or not at all, so few entries are needed. */
const MAX_CALLED = 1_000;

/**
 * Queues lanes of this process that wait for a budget, one queue per budget. Lanes are called when the budget
 * allows, in order of arrival and round robin over channels, so that they need not poll. Nothing is lost if the
 * process dies: the rows store until when a part was postponed.
 */
export class BudgetWaitQueue {
  readonly #options: WaitQueueOptions;
  readonly #queues = new Map<string, BudgetQueue>();
  readonly #waiting = new Set<string>();
  readonly #called = new LRUCache<string, string>({ max: MAX_CALLED });

  constructor(options: WaitQueueOptions) {
    this.#options = options;
  }

  /** Returns true if the lane waits here. */
  has(lane: LaneKey): boolean {
    return this.#waiting.has(laneSessionId(lane));
  }

  /** Returns and clears the name of the queue from which the lane was called. Null if it was not called. */
  takeCall(lane: LaneKey): string | null {
    const session = laneSessionId(lane);
    const queue = this.#called.get(session) ?? null;
    this.#called.delete(session);
    return queue;
  }

  /** Returns the wait behind lanes that already wait for one of the budgets. Null if none do. */
  findWaitBehindOthers(budgets: readonly AccountBudget[], called: string | null): BudgetWait | null {
    for (const budget of budgets) {
      const name = queueName(budget);
      const queue = this.#queues.get(name);
      if (name !== called && queue !== undefined) return { budget, waitMs: this.#waitBehind(queue) };
    }
    return null;
  }

  /** Adds the lane at the end of the queue, or at the front if it was called too early. */
  join({ channelId, lane }: LaneKey, { budget, waitMs }: BudgetWait, called: string | null): void {
    const key = { channelId, lane };
    if (this.has(key)) return;
    const name = queueName(budget);
    const readyAt = this.#options.now() + waitMs;
    const queue = this.#queues.get(name) ?? {
      everyMs: budget.everyMs,
      recalled: [],
      waiting: new FairQueue(),
      earliest: readyAt,
      timer: undefined,
    };
    this.#queues.set(name, queue);
    this.#waiting.add(laneSessionId(key));
    if (name === called) {
      queue.earliest = Math.max(queue.earliest, readyAt);
      queue.recalled.push(key);
    } else {
      queue.waiting.add(channelId, key);
    }
    this.#schedule(name, queue);
  }

  /** Stops calling lanes. */
  close(): void {
    for (const { timer } of this.#queues.values()) clearTimeout(timer);
    this.#queues.clear();
    this.#waiting.clear();
  }

  #waitBehind(queue: BudgetQueue): number {
    return Math.max(0, queue.earliest + queueLength(queue) * queue.everyMs - this.#options.now());
  }

  #schedule(name: string, queue: BudgetQueue): void {
    clearTimeout(queue.timer);
    if (queueLength(queue) === 0) {
      this.#queues.delete(name);
      return;
    }
    // The delay has one millisecond more, because timers may fire that much early.
    const delayMs = queue.earliest - this.#options.now() + 1;
    queue.timer = setTimeout(() => this.#callNext(name, queue), Math.max(0, delayMs)).unref();
  }

  #callNext(name: string, queue: BudgetQueue): void {
    const next = queue.recalled.shift() ?? queue.waiting.take(() => true)?.item;
    if (next === undefined) return;
    const session = laneSessionId(next);
    this.#waiting.delete(session);
    this.#called.set(session, name);
    // A late call does not delay the following ones.
    queue.earliest = Math.max(queue.earliest, this.#options.now() - queue.everyMs) + queue.everyMs;
    this.#schedule(name, queue);
    this.#options.call(next);
  }
}

function queueLength({ recalled, waiting }: BudgetQueue): number {
  return recalled.length + waiting.size;
}

function queueName({ channelId, key }: AccountBudget): string {
  return `${channelId} ${key}`;
}

/**
 * Returns the limits for sends that are accepted by a platform but not yet recorded: each is sent again if the
 * process dies. If the platform is slow, the limit is the number of active lanes. If this process is busy, the
 * limit is low, and lower still with a journal, because writing to it takes no time. A process that has sent
 * many messages may exceed it, as long as that stays below one in five hundred: receipts that arrive two at a
 * time are also stored two at a time, which costs a third more CPU.
 */
export function sendConcurrency({ journal }: { readonly journal: boolean }): AdaptiveConcurrencyOptions {
  const whenProven = { oneForEach: 500, most: 6 };
  return { most: 100, least: 8, mostWhenBusy: journal ? 2 : 4, whenProven };
}

interface OutageOptions {
  /** Current time in milliseconds. */
  readonly now: () => number;
}

/** A failing conversation does not reach this count, because other conversations succeed in between. */
const MIN_FAILURES = 3;
const MIN_OUTAGE_MS = 15_000;
const MAX_CHANNELS = 1_000;

/** Detects platform outages: all attempts on a channel fail with transient errors for some time. */
export class PlatformOutages {
  readonly #options: OutageOptions;
  readonly #failing = new LRUCache<string, { readonly since: number; readonly failures: number }>({
    max: MAX_CHANNELS,
  });

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  recordFailure(channelId: string): void {
    const { since, failures } = this.#failing.get(channelId) ?? { since: this.#options.now(), failures: 0 };
    this.#failing.set(channelId, { since, failures: failures + 1 });
  }

  /** Returns true if this success ends an outage. */
  recordSuccess(channelId: string): boolean {
    const failing = this.#failing.get(channelId);
    if (failing === undefined) return false;
    this.#failing.delete(channelId);
    return failing.failures >= MIN_FAILURES && this.#options.now() - failing.since >= MIN_OUTAGE_MS;
  }
}
