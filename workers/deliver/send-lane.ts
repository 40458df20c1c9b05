import { type Kysely, sql } from 'kysely';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import { type HeldLane, type LaneKey, withLaneLease } from '../../core/inbound/lane.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { wakeLane } from '../../core/inbound/wake-lanes.ts';
import {
  findNextPart,
  postponePart,
  type SettleResult,
  settlePart,
  type WaitingPart,
} from '../../core/outbound/outbox.ts';
import { toReplyWindow } from '../../core/outbound/reply-window.ts';
import { type BudgetWait, listBudgets, reserveOrWait } from '../../core/outbound/send-budgets.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import type { SendingLane } from '../answer/ask.ts';
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

interface SendOptions {
  /** A sending lease that is already held. */
  readonly leased?: SendingLane | null | undefined;
  /** Token of the answering lease. It is released together with the last part. */
  readonly answering?: string;
}

/** The budget that the lane waits for, and the queue from which the lane was called. */
interface LaneWait extends BudgetWait {
  readonly called: string | null;
}

/**
 * Sends the waiting parts of a lane in order, as far as they are due and the budgets allow, unless another
 * worker holds the lease. Returns 'released' if the answering lease was released as well.
 */
export async function sendLane(
  dependencies: Dependencies,
  key: LaneKey,
  { leased, answering }: SendOptions = {},
): Promise<'released' | undefined> {
  const { signal, budgetWaitQueue } = dependencies;
  let called = budgetWaitQueue.takeCall(key);
  if (!leased && budgetWaitQueue.has(key)) return undefined;
  const database = dependencies.database.kysely;
  const hold = { key, role: 'sending', signal } as const;
  const handedOver = leased && { token: leased.token, acquire: async () => true };
  const outcome: { waiting: LaneWait | null } = { waiting: null };
  let knownNext = leased?.next ?? null;
  let isAnswered = false;
  await withLaneLease({ ...dependencies, database }, { ...hold, ...handedOver }, async (held) => {
    // The part was queued by a new message just now.
    const isFresh = knownNext !== null;
    const next = knownNext ?? (await findNextPart(database, held));
    knownNext = null;
    outcome.waiting = null;
    if (next === null) return undefined;
    const result = await sendNext(dependencies, { held, next, answering, called, isFresh });
    if (typeof result === 'object' && 'budget' in result) outcome.waiting = { ...result, called };
    called = null;
    if (typeof result !== 'object') return result;
    if ('budget' in result) return undefined;
    ({ next: knownNext, isAnswered } = result);
    return knownNext === null ? 'released' : 'continue';
  });
  // After releasing the lease, so that a worker called from the queue can take it.
  if (outcome.waiting !== null) budgetWaitQueue.join(key, outcome.waiting, outcome.waiting.called);
  return isAnswered ? 'released' : undefined;
}

interface PendingPart {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  readonly called: string | null;
}

interface NextPart extends Omit<PendingPart, 'open'> {
  readonly answering: string | undefined;
  readonly isFresh: boolean;
}

/** Sends one part. Returns the next part if it is known, or the budget to wait for. */
async function sendNext(
  dependencies: Dependencies,
  { held, next, answering, called, isFresh }: NextPart,
): Promise<'stop' | undefined | SettleResult | BudgetWait> {
  const { clock, budgetWaitQueue } = dependencies;
  const isDue = next.dueAt <= clock.now();
  const isImmediateRetry = !isDue && isFresh && next.attempts > 0;
  if (!isDue && !isImmediateRetry) {
    if (!budgetWaitQueue.has(held)) await scheduleWake(dependencies, { held, next, at: next.dueAt });
    return undefined;
  }
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
  const wait = await postponeUntilBudget(dependencies, { held, next, open, called });
  if (wait !== null) return wait;
  // A new message from the visitor triggers an immediate retry that does not count as an attempt.
  const part = isImmediateRetry ? { ...next, attempts: next.attempts - 1 } : next;
  const outcome = await sendPart(dependencies, { held, next: part, open, answering });
  if (outcome.kind === 'sent') return outcome;
  if (outcome.kind === 'postponed') await scheduleWake(dependencies, { held, next, at: outcome.at });
  return undefined;
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
  const { window } = open.connector.facets;
  const opening = toReplyWindow(open, { to: next.to, heardAt: next.heardAt, now: clock.now() });
  if (window === undefined || opening === null || opening.isOpen || window.isTimeless(next.part))
    return false;
  const template = window.renderTemplate(await loadReply(kysely, next), next.to, open.account);
  if (template === null) await settlePart(dependencies, next, { status: 'failed', failure: window.reason });
  else await replaceWithTemplate(kysely, next, template);
  return true;
}

async function loadReply(database: Kysely<Tables>, { messageId, author }: WaitingPart): Promise<Reply> {
  const { content } = await database
    .selectFrom('message')
    .select('content')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return { author, text: content, sources: [], replyTo: null, offers: [], handover: false };
}

/** The template replaces the whole message, so the other waiting parts are withheld. */
async function replaceWithTemplate(
  database: Kysely<Tables>,
  { number, messageId }: WaitingPart,
  { content }: OutboundPart,
): Promise<void> {
  const failure = 'Replaced by a template message.';
  await sql`
    update outbound_part
    set content = case when number = ${number} then ${JSON.stringify(content)}::jsonb else content end,
        status = case when number = ${number} then status else 'withheld' end,
        failure = case when number = ${number} then failure else ${failure} end
    where message_id = ${messageId} and status in ('waiting', 'held')
  `.execute(database);
}
