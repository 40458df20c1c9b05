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
      return { next: await findNextPart(dependencies.database.kysely, held), isReleased: false };
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
      return undefined;
    }
    if (await checkSendAllowed(dependencies, { next, open })) return undefined;
    const called = budgetWaitQueue.takeCall(held);
    const wait = await postponeUntilBudget(dependencies, { next, open, called });
    if (wait !== null) {
      this.#wait = { ...wait, called };
      return undefined;
    }
    // A new message from the visitor triggers an immediate retry that does not count as an attempt.
    const part = isImmediateRetry ? { ...next, attempts: next.attempts - 1 } : next;
    const outcome = await sendPart(dependencies, { held, next: part, open });
    if (outcome.kind === 'sent') return outcome;
    if (outcome.kind === 'postponed') await scheduleWake(dependencies, { held, next, at: outcome.at });
    return undefined;
  }
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
 * closed. The channel's template, if any, replaces it. Returns true if the part was handled.
 */
async function checkSendAllowed(
  dependencies: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { next, open }: SendCheck,
): Promise<boolean> {
  const {
    database: { kysely },
    clock,
  } = dependencies;
  if (next.isUnwanted) {
    await settlePart(dependencies, next, { status: 'withheld', failure: optedOutReason });
    return true;
  }
  const { window } = open.connector.open(open.account);
  const opening = toReplyWindow(open, { to: next.to, heardAt: next.heardAt, now: clock.now() });
  if (window === undefined || opening === null || opening.isOpen || window.isTimeless(next.part))
    return false;
  if (next.asksForRating) {
    // A template would cost the workspace a paid message.
    await settlePart(dependencies, next, { status: 'withheld', failure: window.reason });
    return true;
  }
  const template = window.renderTemplate(await loadReply(kysely, next), next.to);
  if (template === null) await settlePart(dependencies, next, { status: 'failed', failure: window.reason });
  else await replaceWithTemplate(kysely, next, template);
  return true;
}
