import { LRUCache } from 'lru-cache';
import { type LaneKey, laneSessionId } from '../inbound/lane.ts';
import type { AdaptiveConcurrencyOptions } from '../queue/adaptive-concurrency.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import type { AccountBudget, BudgetWait } from './send-budgets.ts';

interface Line {
  readonly everyMs: number;
  /** Called in vain: they come before the others. */
  readonly again: LaneKey[];
  /** By their channels: several share a budget where they share an app. */
  readonly waiting: FairQueue<LaneKey>;
  /** Nobody is called before that. */
  earliest: number;
  timer: NodeJS.Timeout | undefined;
}

interface SendingLinesOptions {
  /** In milliseconds. */
  readonly now: () => number;
  /** Has somebody send what waits in the lane. */
  readonly call: (lane: LaneKey) => void;
}

/** Who was called comes at once, or never. */
const mostCalled = 1_000;

/**
 * Lanes of this process that wait for a budget, a line for each: one is called when there is something for it, first come
 * first served and channels by turns, so that nobody else keeps asking, and nothing else is held up. A line that dies with
 * its process is no loss: the rows say until when a part was put off.
 */
export class BudgetWaitQueue {
  readonly #options: SendingLinesOptions;
  readonly #lines = new Map<string, Line>();
  readonly #waiting = new Set<string>();
  readonly #called = new LRUCache<string, string>({ max: mostCalled });

  constructor(options: SendingLinesOptions) {
    this.#options = options;
  }

  /** Whether it waits here to be called. */
  has(lane: LaneKey): boolean {
    return this.#waiting.has(laneSessionId(lane));
  }

  /** The name of the line from which it was called, told once; null where it was not. */
  takeCall(lane: LaneKey): string | null {
    const session = laneSessionId(lane);
    const line = this.#called.get(session) ?? null;
    this.#called.delete(session);
    return line;
  }

  /** What is to be waited for because others wait for it already, who were here before; null where nobody is. */
  findWaitBehindOthers(budgets: readonly AccountBudget[], called: string | null): BudgetWait | null {
    for (const budget of budgets) {
      const name = nameOf(budget);
      const line = this.#lines.get(name);
      if (name !== called && line !== undefined) return { budget, waitMs: this.#waitBehind(line) };
    }
    return null;
  }

  /** Last in the line, or first where it was called from there and came in vain. */
  join({ channelId, lane }: LaneKey, { budget, waitMs }: BudgetWait, called: string | null): void {
    const key = { channelId, lane };
    if (this.has(key)) return;
    const name = nameOf(budget);
    const readyAt = this.#options.now() + waitMs;
    const line = this.#lines.get(name) ?? {
      everyMs: budget.everyMs,
      again: [],
      waiting: new FairQueue(),
      earliest: readyAt,
      timer: undefined,
    };
    this.#lines.set(name, line);
    this.#waiting.add(laneSessionId(key));
    if (name === called) {
      line.earliest = Math.max(line.earliest, readyAt);
      line.again.push(key);
    } else {
      line.waiting.add(channelId, key);
    }
    this.#plan(name, line);
  }

  /** Calls nobody any more. */
  close(): void {
    for (const { timer } of this.#lines.values()) clearTimeout(timer);
    this.#lines.clear();
    this.#waiting.clear();
  }

  #waitBehind(line: Line): number {
    return Math.max(0, line.earliest + lengthOf(line) * line.everyMs - this.#options.now());
  }

  #plan(name: string, line: Line): void {
    clearTimeout(line.timer);
    if (lengthOf(line) === 0) {
      this.#lines.delete(name);
      return;
    }
    // A millisecond more, as timers may be that much early.
    const delayMs = line.earliest - this.#options.now() + 1;
    line.timer = setTimeout(() => this.#callNext(name, line), Math.max(0, delayMs)).unref();
  }

  #callNext(name: string, line: Line): void {
    const next = line.again.shift() ?? line.waiting.take(() => true)?.item;
    if (next === undefined) return;
    const session = laneSessionId(next);
    this.#waiting.delete(session);
    this.#called.set(session, name);
    // Who is called a little late makes nobody else later.
    line.earliest = Math.max(line.earliest, this.#options.now() - line.everyMs) + line.everyMs;
    this.#plan(name, line);
    this.#options.call(next);
  }
}

function lengthOf({ again, waiting }: Line): number {
  return again.length + waiting.size;
}

function nameOf({ channelId, key }: AccountBudget): string {
  return `${channelId} ${key}`;
}

/**
 * How much may be between a platform and our note of it: when the process dies that is sent again. Where the platform
 * takes its time, as much as there are lanes at work; where this process does, little, and less where it has a journal,
 * which it writes in no time. A process that has sent a lot may have more there, as long as that is one in five hundred:
 * what comes back two at a time is stored two at a time, too, which takes a third more of the processor.
 */
export function sendConcurrency({ journal }: { readonly journal: boolean }): AdaptiveConcurrencyOptions {
  const whenProven = { oneForEach: 500, most: 6 };
  return { most: 100, least: 8, mostWhenBusy: journal ? 2 : 4, whenProven };
}

interface OutagesOptions {
  /** In milliseconds. */
  readonly now: () => number;
}

/** Something about one conversation fails no oftener in a row where others are answered meanwhile. */
const leastFailures = 3;
const leastMs = 15_000;
const mostChannels = 1_000;

/** Channels whose platforms are out of order: for a while every try was in vain, for reasons that pass. */
export class PlatformOutages {
  readonly #options: OutagesOptions;
  readonly #failing = new LRUCache<string, { readonly since: number; readonly failures: number }>({
    max: mostChannels,
  });

  constructor(options: OutagesOptions) {
    this.#options = options;
  }

  recordFailure(channelId: string): void {
    const { since, failures } = this.#failing.get(channelId) ?? { since: this.#options.now(), failures: 0 };
    this.#failing.set(channelId, { since, failures: failures + 1 });
  }

  /** Whether that ends an outage. */
  recordSuccess(channelId: string): boolean {
    const failing = this.#failing.get(channelId);
    if (failing === undefined) return false;
    this.#failing.delete(channelId);
    return failing.failures >= leastFailures && this.#options.now() - failing.since >= leastMs;
  }
}
