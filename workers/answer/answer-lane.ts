import { randomUUID } from 'node:crypto';
import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import { postponeEvents } from '../../core/channels/inbound/event-records.ts';
import {
  type HeldLane,
  type LaneKey,
  LaneLeaseLost,
  type LaneRoundResult,
  withLaneLease,
} from '../../core/channels/inbound/lane.ts';
import type { LaneConversation } from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import {
  type LaneWork,
  loadLaneWork,
  markEventsHandled,
  type WaitingEvent,
} from '../../core/channels/inbound/lane-work.ts';
import { wakeLane } from '../../core/channels/inbound/wake-lanes.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { isDatabaseFault } from '../../core/storage/sql-errors.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { endMessage } from '../deliver/message-end.ts';
import { LaneSender } from '../deliver/send-lane.ts';
import { answerTurn } from './answer-turn.ts';
import { endEvent, endFailedTurn, toWay } from './message-way.ts';
import {
  findTurnLanguage,
  type LiveListener,
  type NumberedEvent,
  planTurn,
  type Step,
  sortBySentTime,
  type VisitorTurn,
} from './plan-turn.ts';
import { handlePlatformEvent } from './platform-events.ts';

/** Includes the last attempt, which only tells the visitor that something went wrong. */
const maxAttempts = 3;

/**
 * Processes the waiting events of a lane in order and sends the answers, unless another worker holds the lease. It
 * processes all of them, or, if other lanes wait for a slot in this process, one turn before it requeues the lane.
 * `live` receives the answer to its event while it is generated.
 */
export async function answerLane(
  dependencies: LaneDependencies,
  key: LaneKey,
  live?: LiveListener,
): Promise<void> {
  const { signal, clock, queue, laneLeases, laneHandover } = dependencies;
  const database = dependencies.database.kysely;
  const handedOver = laneHandover.collect(key);
  const token = handedOver?.token ?? randomUUID();
  let acquiredWork: LaneWork | null = handedOver?.work ?? null;
  const acquire = async () => {
    acquiredWork ??= await laneLeases.lease({ ...key, token });
    return acquiredWork !== null;
  };
  const sender = new LaneSender(dependencies);
  let next: WaitingEvent | undefined;
  await withLaneLease({ ...dependencies, database }, { key, signal, token, acquire }, async (held, due) => {
    if (due === 'part') return sender.send(held);
    const isFirst = acquiredWork !== null;
    const work = acquiredWork ?? (await loadLaneWork(database, held, clock.now()));
    acquiredWork = null;
    if (work === null) return 'stop';
    // A live answer must be generated in this process, because another process cannot stream to the listener.
    const mayContinue = isFirst || live !== undefined || !queue.isCrowded('answer');
    next = mayContinue ? undefined : work.events[0];
    if (next !== undefined) return 'stop';
    const isHandedOver = isFirst && handedOver !== null;
    return handleNextStep(dependencies, { held, sender, work, isHandedOver, isCollected: false, live });
  });
  sender.finish(key);
  // This happens after the lease is released, so that the woken worker can take it.
  if (next !== undefined)
    await wakeLane(dependencies, { name: 'answer', id: `${next.number}-turn-${next.attempts}`, key });
}

interface LaneContext {
  readonly held: HeldLane;
  readonly sender: LaneSender;
  readonly work: LaneWork;
  /** True if the work was loaded when its event was stored, before the job waited for a slot. */
  readonly isHandedOver: boolean;
  /** True if the work has the messages that followed the first one. */
  readonly isCollected: boolean;
  readonly live: LiveListener | undefined;
}

async function handleNextStep(
  dependencies: LaneDependencies,
  context: LaneContext,
): Promise<LaneRoundResult> {
  const { held, sender, work, live } = context;
  const { events: waiting, isJoined, isOptedOut, conversation, workspace } = work;
  const [first] = waiting;
  if (first === undefined) return undefined;
  const delayMs = Math.max(...waiting.map(({ waitMs }) => waitMs));
  if (delayMs > 0) {
    const id = `${first.number}-${first.attempts}-${waiting.at(-1)?.number}`;
    await wakeLane(dependencies, { name: 'answer', id, key: held, delayMs });
    return undefined;
  }
  const open = await dependencies.findAccount(held.channelId);
  // The event stays unhandled until the channel is enabled again.
  if (open === null || workspace === null) return 'stop';
  const events = sortBySentTime(waiting.flatMap((event) => normaliseEvent(event, open)));
  const step = planTurn(
    events.map(({ number, event }) => ({ number, event: applyOptOut(event, { isOptedOut }) })),
    isJoined,
  );
  if (!context.isCollected && mayGrow(step, context)) {
    const collected = await collectBurst(dependencies, context);
    if (collected !== null) {
      return handleNextStep(dependencies, { ...context, work: collected, isCollected: true });
    }
  }
  return handleStep(dependencies, { held, sender, open, step, waiting, live, workspace, conversation });
}

/**
 * Returns whether messages that are about to arrive may belong to the turn. A live client and a caller wait for the first
 * word, and an agent reads the messages one by one.
 */
function mayGrow({ numbers, action }: Step, { work, live }: LaneContext): boolean {
  const { events, conversation } = work;
  if (live !== undefined || action === null || !('kind' in action)) return false;
  const last = events.at(-1);
  return (
    action.command === null &&
    action.parked === null &&
    !action.isComplete &&
    conversation?.withPerson !== true &&
    last !== undefined &&
    numbers.includes(last.number)
  );
}

/**
 * Waits for the rest of a burst and returns the lane's work as it is then. Null if the work that was loaded is recent
 * enough.
 */
async function collectBurst(
  { database, clock, bursts }: LaneDependencies,
  { held, work, isHandedOver }: LaneContext,
): Promise<LaneWork | null> {
  const collected = await bursts.collect(findOldest(work.events), held.signal);
  const isOutdated = collected === 'waited' || (collected === 'old' && isHandedOver);
  return isOutdated ? loadLaneWork(database.kysely, held, clock.now()) : null;
}

function normaliseEvent(
  { number, native, receivedAt }: WaitingEvent,
  { connector, account }: OpenAccount,
): NumberedEvent[] {
  return connector
    .open(account)
    .normalise(native, receivedAt)
    .map((event) => ({ number, event }));
}

interface StepContext {
  readonly held: HeldLane;
  readonly sender: LaneSender;
  readonly open: OpenAccount;
  readonly step: Step;
  readonly waiting: readonly WaitingEvent[];
  readonly live: LiveListener | undefined;
  readonly workspace: Workspace;
  readonly conversation: LaneConversation | null;
}

async function handleStep(dependencies: LaneDependencies, context: StepContext): Promise<LaneRoundResult> {
  const { held, sender, open, step, waiting } = context;
  const { numbers, action } = step;
  const { database, clock } = dependencies;
  if (action === null) {
    // Deliveries that normalise to no event appear in no step, so they are marked here.
    const passed = numbers.length > 0 ? numbers : waiting.map(({ number }) => number);
    await markEventsHandled(database.kysely, { ...held, numbers: passed, now: clock.now() });
    const ignored = waiting.filter(({ number }) => passed.includes(number));
    for (const event of ignored) endEvent(dependencies, open, { event, outcome: 'ignored' });
    return undefined;
  }
  const handled = waiting.filter(({ number }) => numbers.includes(number));
  const attempts = Math.max(...handled.map((one) => one.attempts));
  try {
    if ('kind' in action) return await handleTurn(dependencies, context, { turn: action, handled, attempts });
    await handlePlatformEvent(dependencies, { held, open, numbers, event: action });
    for (const event of handled) endEvent(dependencies, open, { event, outcome: action.type });
    return action.type === 'asked-for' ? await sender.send(held) : undefined;
  } catch (error) {
    if (held.signal.aborted || error instanceof LaneLeaseLost) throw error;
    const since = findOldest(handled);
    const delayMs = await recordTurnFailure(dependencies, {
      held,
      numbers,
      error,
      attempts,
      maxAttempts,
      since,
    });
    if (delayMs === null) {
      if ('kind' in action) endFailedTurn(dependencies, open, { handled, attempts });
      return undefined;
    }
    const id = `${numbers[0]}-again-${clock.now().getTime()}`;
    await wakeLane(dependencies, { name: 'answer', id, key: held, delayMs });
    return undefined;
  }
}

interface TurnContext {
  readonly turn: VisitorTurn;
  readonly handled: readonly WaitingEvent[];
  /** Number of failed attempts before this one. */
  readonly attempts: number;
}

async function handleTurn(
  dependencies: LaneDependencies,
  { held, sender, open, step: { numbers }, workspace, conversation, ...context }: StepContext,
  { turn, handled, attempts }: TurnContext,
): Promise<LaneRoundResult> {
  const mayRetry = attempts + 1 < maxAttempts;
  const startedAt = dependencies.clock.now();
  const live = context.live && numbers.includes(context.live.number) ? context.live : undefined;
  const language = findTurnLanguage(turn);
  const eventId = handled[0]?.eventId ?? '';
  const asked = { held, open, workspace, conversation, turn, language, numbers, eventId, mayRetry, live };
  const end = await answerTurn(dependencies, asked);
  const way = toWay(dependencies, open, { end, startedAt, handled, attempts });
  if (end.parts === 0) endMessage(dependencies, way);
  else sender.follow(way);
  if (end.next === undefined) return sender.send(held);
  recordMetrics(dependencies, open, { startedAt, handled });
  return end.next === null ? undefined : sender.send(held, end.next);
}

function findOldest(events: readonly WaitingEvent[]): Date {
  return new Date(Math.min(...events.map(({ receivedAt }) => receivedAt.getTime())));
}

/** The delay counts from the oldest of the handled events. */
function recordMetrics(
  { clock, metrics }: Pick<LaneDependencies, 'clock' | 'metrics'>,
  { account }: OpenAccount,
  { startedAt, handled }: { readonly startedAt: Date; readonly handled: readonly WaitingEvent[] },
): void {
  const now = clock.now().getTime();
  metrics.channels.answered(account.channel, {
    delayMs: now - findOldest(handled).getTime(),
    durationMs: now - startedAt.getTime(),
  });
}

/** Shown to operators next to a message of a visitor who opted out. */
const optOutReason = 'the visitor opted out of messages';

/**
 * Returns the event with the visitor's opt-out applied: messages of an opted-out visitor are stored unanswered,
 * and the `resume` command makes the visitor reachable again. Pure.
 */
export function applyOptOut(
  event: InboundEvent,
  { isOptedOut }: { readonly isOptedOut: boolean },
): InboundEvent {
  if (event.type !== 'message') return event;
  if (event.command === 'resume') {
    return isOptedOut
      ? { type: 'reachable', conversation: event.conversation, reachable: true, wished: true }
      : { ...event, command: null };
  }
  return isOptedOut ? { ...event, command: null, parked: event.parked ?? optOutReason } : event;
}

interface FailedTurn {
  readonly held: LaneKey;
  readonly numbers: readonly string[];
  readonly error: unknown;
  /** Number of failed attempts before this one. */
  readonly attempts: number;
  /** The event is given up after this many attempts. */
  readonly maxAttempts: number;
  /** Arrival time of the oldest event. */
  readonly since: Date;
}

interface RetryPlan {
  /** Includes this attempt if it counts. */
  readonly attempts: number;
  readonly isLast: boolean;
  readonly pauseMs: number;
}

const MAX_REASON_CHARS = 500;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** After this time a database error counts as an attempt, because the event itself may be the cause. */
const DATABASE_FAULT_LIMIT_MS = 24 * 60 * 60 * 1_000;

/**
 * Records a failed attempt. The event waits for a retry or, after the last attempt, stays failed for an
 * operator, and the lane continues with the next event. Database faults do not count as attempts. Returns the
 * delay before the retry in milliseconds, or null if the event is given up.
 */
export async function recordTurnFailure(
  { database, clock, log }: Pick<LaneDependencies, 'database' | 'clock' | 'log'>,
  failed: FailedTurn,
): Promise<number | null> {
  const { held, numbers, error } = failed;
  const { channelId, lane } = held;
  const { attempts, isLast, pauseMs } = planRetry(failed, clock.now());
  log[isLast ? 'error' : 'warn'](
    { err: error, channelId, lane, events: numbers },
    'answering an event failed',
  );
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARS);
  const failure = isLast ? reason : null;
  await postponeEvents(database.kysely, { channelId, numbers, attempts, failure, pauseMs });
  return isLast ? null : pauseMs;
}

function planRetry({ error, attempts, maxAttempts, since }: FailedTurn, now: Date): RetryPlan {
  const ageMs = now.getTime() - since.getTime();
  if (isDatabaseFault(error) && ageMs < DATABASE_FAULT_LIMIT_MS) {
    const pauseMs = Math.round(Math.min(Math.max(ageMs / 4, MIN_PAUSE_MS), MAX_PAUSE_MS));
    return { attempts, isLast: false, pauseMs };
  }
  const nextAttempts = attempts + 1;
  return {
    attempts: nextAttempts,
    isLast: nextAttempts >= maxAttempts,
    pauseMs: nextAttempts * MIN_PAUSE_MS,
  };
}
