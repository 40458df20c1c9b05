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
import type { SendingLane } from '../answer/commit-turn.ts';
import { sendPart } from './send-part.ts';

type Dependencies = Pick<
  LaneDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'connectorCalls'
  | 'heldBack'
  | 'outages'
  | 'log'
  | 'metrics'
  | 'queue'
  | 'findAccount'
  | 'sendingGate'
  | 'sendingLines'
  | 'sentBatches'
  | 'sentJournal'
  | 'signal'
  | 'wakeDeliveries'
>;

interface How {
  /** The lane is ours already. */
  readonly taken?: SendingLane | null | undefined;
  /** The token of whoever answers in the lane meanwhile, who lets go of it with the last part. */
  readonly answering?: string;
}

/** What a lane waits for, and the line from which it had been called when that was seen. */
interface Waiting extends BudgetWait {
  readonly called: string | null;
}

/**
 * Sends what waits in a lane, part by part in its order, as far as it is due and there is a budget for it, unless another
 * worker does. 'let go' where that was the end of the answering too.
 */
export async function sendLane(
  dependencies: Dependencies,
  key: LaneKey,
  { taken, answering }: How = {},
): Promise<'let go' | undefined> {
  const { signal, sendingLines } = dependencies;
  let called = sendingLines.takeCall(key);
  if (!taken && sendingLines.has(key)) return undefined;
  const database = dependencies.database.kysely;
  const hold = { key, role: 'sending', signal } as const;
  const ours = taken && { token: taken.token, take: async () => true };
  const left: { waiting: Waiting | null } = { waiting: null };
  let known = taken?.next ?? null;
  let isAnswered = false;
  await withLaneLease({ ...dependencies, database }, { ...hold, ...ours }, async (held) => {
    // Something was said here just now.
    const isNews = known !== null;
    const next = known ?? (await findNextPart(database, held));
    known = null;
    left.waiting = null;
    if (next === null) return undefined;
    const done = await sendNext(dependencies, { held, next, answering, called, isNews });
    if (typeof done === 'object' && 'budget' in done) left.waiting = { ...done, called };
    called = null;
    if (typeof done !== 'object') return done;
    if ('budget' in done) return undefined;
    ({ next: known, isAnswered } = done);
    return known === null ? 'let go' : 'go on';
  });
  // Only now, so that whoever is called finds the lane free.
  if (left.waiting !== null) sendingLines.join(key, left.waiting, left.waiting.called);
  return isAnswered ? 'let go' : undefined;
}

interface Going {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  readonly called: string | null;
}

interface Coming extends Omit<Going, 'open'> {
  readonly answering: string | undefined;
  readonly isNews: boolean;
}

/** Tells what is next where that is known, or what has to be waited for. */
async function sendNext(
  dependencies: Dependencies,
  { held, next, answering, called, isNews }: Coming,
): Promise<'left' | undefined | SettleResult | BudgetWait> {
  const { clock, sendingLines } = dependencies;
  const isDue = next.dueAt <= clock.now();
  const isHurried = !isDue && isNews && next.attempts > 0;
  if (!isDue && !isHurried) {
    if (!sendingLines.has(held)) await scheduleWake(dependencies, { held, next, at: next.dueAt });
    return undefined;
  }
  const open = await dependencies.findAccount(held.channelId);
  // It is sent when the channel is switched on again.
  if (open === null) return 'left';
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
  // Who writes again does not wait for the next try of what he was not sent, and brings it no nearer to being given up.
  const tried = isHurried ? { ...next, attempts: next.attempts - 1 } : next;
  const outcome = await sendPart(dependencies, { held, next: tried, open, answering });
  if (outcome.kind === 'sent') return outcome;
  if (outcome.kind === 'postponed') await scheduleWake(dependencies, { held, next, at: outcome.at });
  return undefined;
}

/** What has to be waited for, with the part put off until then; null where it may go. */
async function postponeUntilBudget(
  dependencies: Dependencies,
  { next, open, called }: Going,
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

const optedOut = 'The visitor asked us not to write to him.';

/**
 * Keeps a part back that may not go out any more: its visitor does not want it, or the platform takes it too long after
 * he wrote no more. What the channel has for that is sent in its place. Tells whether the part is dealt with.
 */
async function checkSendAllowed(
  dependencies: Pick<LaneDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { next, open }: SendCheck,
): Promise<boolean> {
  const {
    database: { kysely },
    clock,
  } = dependencies;
  if (next.isUnwanted) {
    await settlePart(dependencies, next, { status: 'withheld', failure: optedOut });
    return true;
  }
  const { window } = open.connector.facets;
  const opening = toReplyWindow(open, { to: next.to, heardAt: next.heardAt, now: clock.now() });
  if (window === undefined || opening === null || opening.isOpen || window.isTimeless(next.part))
    return false;
  const instead = window.renderTemplate(await loadReply(kysely, next), next.to, open.account);
  if (instead === null) await settlePart(dependencies, next, { status: 'failed', failure: window.reason });
  else await putInPlace(kysely, next, instead);
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

/** It stands for the whole message: what else waits of that is not sent. */
async function putInPlace(
  database: Kysely<Tables>,
  { number, messageId }: WaitingPart,
  { content }: OutboundPart,
): Promise<void> {
  const failure = 'A template was sent in its place.';
  await sql`
    update outbound_part
    set content = case when number = ${number} then ${JSON.stringify(content)}::jsonb else content end,
        status = case when number = ${number} then status else 'withheld' end,
        failure = case when number = ${number} then failure else ${failure} end
    where message_id = ${messageId} and status in ('waiting', 'held')
  `.execute(database);
}
