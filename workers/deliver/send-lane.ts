import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import {
  type HeldLane,
  type LaneKey,
  type LaneRoundResult,
  withLaneLease,
} from '../../core/channels/inbound/lane.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { wakeLane } from '../../core/channels/inbound/wake-lanes.ts';
import {
  findNextPart,
  postponePart,
  type SettleResult,
  settlePart,
  type WaitingPart,
} from '../../core/channels/outbound/outbox.ts';
import { loadReply, replaceWithTemplate } from '../../core/channels/outbound/part-records.ts';
import { toReplyWindow } from '../../core/channels/outbound/reply-window.ts';
import { type BudgetWait, listBudgets, reserveOrWait } from '../../core/channels/outbound/send-budgets.ts';
import { endMessage, endStoredMessage, type MessageWay, noParts, type SettledParts } from './message-end.ts';
import { sendPart } from './send-part.ts';

type Dependencies = Pick<
  LaneDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'connectorCalls'
  | 'rateLimitHolds'
  | 'outages'
  | 'log'
  | 'metrics'
  | 'queue'
  | 'findAccount'
  | 'sendingConcurrency'
  | 'budgetWaitQueue'
  | 'sentPartBatcher'
  | 'sentJournal'
  | 'signal'
  | 'scheduleDeliveries'
  | 'spans'
>;

/** The budget that a lane waits for, and the queue from which the lane was called. */
interface LaneWait extends BudgetWait {
  readonly called: string | null;
}

/**
 * Sends the waiting parts of a lane, unless another worker holds the lease. An event that came meanwhile is left to a
 * worker that answers.
 */
export async function sendLane(dependencies: Dependencies, key: LaneKey): Promise<void> {
  const { signal, clock, budgetWaitQueue } = dependencies;
  if (budgetWaitQueue.has(key)) return;
  const database = dependencies.database.kysely;
  const sender = new LaneSender(dependencies);
  let isEventDue = false;
  await withLaneLease({ ...dependencies, database }, { key, signal }, async (held, due) => {
    isEventDue = due === 'event';
    return isEventDue ? 'stop' : sender.send(held);
  });
  sender.finish(key);
  // This happens after the lease is released, so that the woken worker can take it.
  if (isEventDue) await wakeLane(dependencies, { name: 'answer', id: `sent-${clock.now().getTime()}`, key });
}

/** Sends the parts of a lane while the caller holds its lease. */
export class LaneSender {
  readonly #dependencies: Dependencies;
  #wait: LaneWait | null = null;
  /** The message that was answered while the lane is held. */
  #way: (MessageWay & { settled: SettledParts }) | null = null;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends the waiting parts in order, as far as they are due and the budgets allow. `stored` is the next part if a
   * message of the visitor was answered just now: a part that failed is then sent again at once.
   */
  async send(held: HeldLane, stored: WaitingPart | null = null): Promise<LaneRoundResult> {
    let next = stored ?? (await findNextPart(this.#dependencies.database.kysely, held));
    while (next !== null && !held.signal.aborted) {
      const result = await this.#sendNext({ held, next, isFresh: next === stored });
      if (typeof result !== 'object') return result;
      if (result.isReleased) return 'released';
      ({ next } = result);
    }
    return undefined;
  }

  /** Takes a message whose parts are sent next, so that nothing need be looked up when the last of them is sent. */
  follow(way: MessageWay): void {
    this.#way = { ...way, settled: noParts };
  }

  /**
   * Queues the lane for the budget that it waits for. To be called after the lease is released, so that the worker which
   * the queue calls can take it.
   */
  finish(key: LaneKey): void {
    if (this.#wait !== null) this.#dependencies.budgetWaitQueue.join(key, this.#wait, this.#wait.called);
  }

  /** Sends one part. Returns the state of the lane if it is known afterwards. */
  async #sendNext({ held, next, isFresh }: NextPart): Promise<'stop' | undefined | SettleResult> {
    const dependencies = this.#dependencies;
    const { clock, budgetWaitQueue } = dependencies;
    if (next.asksForRating && next.isReopened) {
      // The part is settled at once, so that an answer does not wait for a question that is not due yet.
      await settlePart(dependencies, next, { status: 'withheld', failure: reopenedReason });
      const following = await findNextPart(dependencies.database.kysely, held);
      const account = await dependencies.findAccount(held.channelId);
      if (account !== null) await this.#settled({ held, next, open: account, status: 'withheld', following });
      return { next: following, isReleased: false };
    }
    const isDue = next.dueAt <= clock.now();
    const isImmediateRetry = !isDue && isFresh && next.attempts > 0;
    if (!isDue && !isImmediateRetry) {
      const isQueued = this.#wait !== null || budgetWaitQueue.has(held);
      if (!isQueued) await scheduleWake(dependencies, { held, next, at: next.dueAt });
      return undefined;
    }
    this.#wait = null;
    const open = await dependencies.findAccount(held.channelId);
    // The part stays queued until the channel is enabled again.
    if (open === null) return 'stop';
    if (next.isOvertaken) {
      await settlePart(dependencies, next, {
        status: 'withheld',
        failure: 'A person took the conversation over.',
      });
      await this.#settled({ held, next, open, status: 'withheld' });
      return undefined;
    }
    const barred = await checkSendAllowed(dependencies, { next, open });
    if (barred !== null) {
      if (barred !== 'replaced') await this.#settled({ held, next, open, status: barred });
      return undefined;
    }
    const called = budgetWaitQueue.takeCall(held);
    const wait = await postponeUntilBudget(dependencies, { next, open, called });
    if (wait !== null) {
      this.#wait = { ...wait, called };
      return undefined;
    }
    // A new message from the visitor triggers an immediate retry that does not count as an attempt.
    const part = isImmediateRetry ? { ...next, attempts: next.attempts - 1 } : next;
    const outcome = await sendPart(dependencies, { held, next: part, open });
    const attempted = { ...part, attempts: part.attempts + 1 };
    switch (outcome.kind) {
      case 'postponed':
        await scheduleWake(dependencies, { held, next, at: outcome.at });
        return undefined;
      case 'refused':
        await this.#settled({ held, next: attempted, open, status: outcome.status });
        return undefined;
      case 'moved':
      case 'sent':
        await this.#settled({ held, next: attempted, open, status: 'sent', following: outcome.next });
        return outcome.kind === 'sent' ? outcome : undefined;
    }
  }

  /** Ends the message if none of its parts is left to send. A lookup that fails costs its line in the log, and no more. */
  async #settled(settled: SettledPart): Promise<void> {
    try {
      await this.#endIfLast(settled);
    } catch (err) {
      this.#dependencies.log.warn({ err, message: settled.next.messageId }, 'end of a message not logged');
    }
  }

  async #endIfLast({ held, next, open, status, ...known }: SettledPart): Promise<void> {
    const { kysely } = this.#dependencies.database;
    const following = known.following === undefined ? await findNextPart(kysely, held) : known.following;
    const isLast = following?.messageId !== next.messageId;
    const way = this.#way;
    if (way === null || way.messageId !== next.messageId) {
      if (isLast) await endStoredMessage(this.#dependencies, next, open);
      return;
    }
    const { parts, partAttempts, isUndelivered, isWithheld } = way.settled;
    way.settled = {
      parts: parts + 1,
      partAttempts: partAttempts + next.attempts,
      isUndelivered: isUndelivered || status === 'failed' || status === 'dead',
      isWithheld: isWithheld || status === 'withheld',
    };
    if (!isLast) return;
    this.#way = null;
    endMessage(this.#dependencies, way, way.settled);
  }
}

interface SettledPart {
  readonly held: HeldLane;
  /** Includes the last attempt. */
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  readonly status: 'sent' | 'failed' | 'dead' | 'withheld';
  /** The part of the lane that is sent next; looked up if absent. */
  readonly following?: WaitingPart | null;
}

interface NextPart {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly isFresh: boolean;
}

interface PendingPart {
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  /** The queue from which the lane was called. Null if it was not called. */
  readonly called: string | null;
}

/** Postpones the part if a budget is exhausted and returns the wait. Null if the part may be sent. */
async function postponeUntilBudget(
  dependencies: Dependencies,
  { next, open, called }: PendingPart,
): Promise<BudgetWait | null> {
  const { database, clock } = dependencies;
  const budgets = listBudgets(open, next.to);
  const wait = await reserveOrWait(dependencies, { budgets, called });
  if (wait === null) return null;
  const at = new Date(clock.now().getTime() + wait.waitMs);
  await postponePart(database.kysely, next, { at, attempts: next.attempts, failure: null });
  return wait;
}

async function scheduleWake(
  dependencies: Pick<Dependencies, 'queue' | 'clock' | 'log'>,
  { held, next, at }: { readonly held: HeldLane; readonly next: WaitingPart; readonly at: Date },
): Promise<void> {
  const delayMs = Math.max(0, at.getTime() - dependencies.clock.now().getTime());
  await wakeLane(dependencies, { name: 'deliver', id: `${next.number}-${at.getTime()}`, key: held, delayMs });
}

interface SendCheck {
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

const reopenedReason = 'The conversation was opened again.';
const optedOutReason = 'The visitor opted out of messages.';

/**
 * Withholds a part that may no longer be sent, because the visitor opted out or the platform's reply window has
 * closed. The channel's template, if any, replaces it. Returns what became of the part; null if it may be sent.
 */
async function checkSendAllowed(
  dependencies: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { next, open }: SendCheck,
): Promise<'withheld' | 'failed' | 'replaced' | null> {
  const {
    database: { kysely },
    clock,
  } = dependencies;
  if (next.isUnwanted) {
    await settlePart(dependencies, next, { status: 'withheld', failure: optedOutReason });
    return 'withheld';
  }
  const { window } = open.connector.open(open.account);
  const opening = toReplyWindow(open, { to: next.to, heardAt: next.heardAt, now: clock.now() });
  if (window === undefined || opening === null || opening.isOpen || window.isTimeless(next.part)) return null;
  if (next.asksForRating) {
    // A template would cost the workspace a paid message.
    await settlePart(dependencies, next, { status: 'withheld', failure: window.reason });
    return 'withheld';
  }
  const template = window.renderTemplate(await loadReply(kysely, next), next.to);
  if (template === null) {
    await settlePart(dependencies, next, { status: 'failed', failure: window.reason });
    return 'failed';
  }
  await replaceWithTemplate(kysely, next, template);
  return 'replaced';
}
