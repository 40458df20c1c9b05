import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import {
  type HeldLane,
  type LaneKey,
  LaneLeaseLost,
  type LaneRoundResult,
  withLaneLease,
} from '../../core/inbound/lane.ts';
import type { LaneConversation } from '../../core/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import {
  type LaneWork,
  loadLaneWork,
  markEventsHandled,
  type WaitingEvent,
} from '../../core/inbound/lane-work.ts';
import { wakeLane } from '../../core/inbound/wake-lanes.ts';
import { isDatabaseFault } from '../../core/storage/sql-errors.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { sendLane } from '../deliver/send-lane.ts';
import { answerTurn } from './answer-turn.ts';
import {
  findTurnLanguage,
  type LiveListener,
  type NumberedEvent,
  planTurn,
  type Step,
  sortBySentTime,
} from './plan-turn.ts';
import { handlePlatformEvent } from './platform-events.ts';

/** In all, with the one that only says that something went wrong. */
const maxAttempts = 3;

/**
 * Deals with what came in a lane, in its order, unless another worker does: with all of it, or with one turn and then with
 * the rest after those of other lanes that wait for it here. `live` hears the answer to his.
 */
export async function answerLane(
  dependencies: LaneDependencies,
  key: LaneKey,
  live?: LiveListener,
): Promise<void> {
  const { signal, clock, queue, laneBatches, takenLanes } = dependencies;
  const database = dependencies.database.kysely;
  const given = takenLanes.collect(key);
  const token = given?.token ?? randomUUID();
  let taken: LaneWork | null = given?.work ?? null;
  const take = async () => {
    taken ??= await laneBatches.lease({ ...key, token });
    return taken !== null;
  };
  const hold = { key, role: 'answering', signal, token, take } as const;
  let next: WaitingEvent | undefined;
  await withLaneLease({ ...dependencies, database }, hold, async (held) => {
    const isFirst = taken !== null;
    const work = taken ?? (await loadLaneWork(database, held, clock.now()));
    taken = null;
    if (work === null) return 'left';
    // Who listens to his answer would not hear one that is made elsewhere.
    const mayStay = isFirst || live !== undefined || !queue.isCrowded('answer');
    next = mayStay ? undefined : work.events[0];
    return next === undefined ? handleNextStep(dependencies, { held, work, live }) : 'left';
  });
  // Only now, so that whoever is woken finds the lane free.
  if (next !== undefined)
    await wakeLane(dependencies, { name: 'answer', id: `${next.number}-turn-${next.attempts}`, key });
}

interface Working {
  readonly held: HeldLane;
  readonly work: LaneWork;
  readonly live: LiveListener | undefined;
}

async function handleNextStep(
  dependencies: LaneDependencies,
  { held, work, live }: Working,
): Promise<LaneRoundResult> {
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
  // It is dealt with when the channel is switched on again.
  if (open === null || workspace === null) return 'left';
  const events = sortBySentTime(waiting.flatMap((event) => numbered(event, open)));
  const step = planTurn(
    events.map(({ number, event }) => ({ number, event: applyOptOut(event, { isOptedOut }) })),
    isJoined,
  );
  return handleStep(dependencies, { held, open, step, waiting, live, workspace, conversation });
}

function numbered(
  { number, native, receivedAt }: WaitingEvent,
  { connector, account }: OpenAccount,
): NumberedEvent[] {
  return connector.normalise(native, account, receivedAt).map((event) => ({ number, event }));
}

interface Doing {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly step: Step;
  readonly waiting: readonly WaitingEvent[];
  readonly live: LiveListener | undefined;
  readonly workspace: Workspace;
  readonly conversation: LaneConversation | null;
}

async function handleStep(dependencies: LaneDependencies, doing: Doing): Promise<LaneRoundResult> {
  const { held, open, step, waiting, workspace, conversation } = doing;
  const { numbers, does } = step;
  const { database, clock } = dependencies;
  if (does === null) {
    // What tells nothing at all has no events, hence no numbers of its own.
    const passed = numbers.length > 0 ? numbers : waiting.map(({ number }) => number);
    await markEventsHandled(database.kysely, { ...held, numbers: passed, now: clock.now() });
    return undefined;
  }
  const handled = waiting.filter(({ number }) => numbers.includes(number));
  const attempts = Math.max(...handled.map((one) => one.attempts));
  try {
    const answering = held.token;
    if (!('kind' in does)) {
      await handlePlatformEvent(dependencies, { held, open, numbers, event: does });
      return does.type === 'asked-for' ? await sendLane(dependencies, held, { answering }) : undefined;
    }
    const mayRetry = attempts + 1 < maxAttempts;
    const begun = clock.now();
    const live = doing.live && numbers.includes(doing.live.number) ? doing.live : undefined;
    const language = findTurnLanguage(does);
    const asked = { held, open, workspace, conversation, turn: does, language, numbers, mayRetry, live };
    const said = await answerTurn(dependencies, asked);
    if (said !== null) measure(dependencies, open, { begun, handled });
    return await sendLane(dependencies, held, { taken: said?.toSend, answering });
  } catch (error) {
    if (held.signal.aborted || error instanceof LaneLeaseLost) throw error;
    const since = findOldest(handled);
    const delayMs = await recordTurnFailure(dependencies, {
      held,
      numbers,
      error,
      attempts,
      mostTries: maxAttempts,
      since,
    });
    if (delayMs === null) return undefined;
    const id = `${numbers[0]}-again-${clock.now().getTime()}`;
    await wakeLane(dependencies, { name: 'answer', id, key: held, delayMs });
    return undefined;
  }
}

function findOldest(events: readonly WaitingEvent[]): Date {
  return new Date(Math.min(...events.map(({ receivedAt }) => receivedAt.getTime())));
}

/** Whoever wrote first waited longest. */
function measure(
  { clock, metrics }: Pick<LaneDependencies, 'clock' | 'metrics'>,
  { account }: OpenAccount,
  { begun, handled }: { readonly begun: Date; readonly handled: readonly WaitingEvent[] },
): void {
  const now = clock.now().getTime();
  metrics.channels.answered(account.channel, {
    delayMs: now - findOldest(handled).getTime(),
    durationMs: now - begun.getTime(),
  });
}

/** Shown with what is said by somebody who wants nothing to be said to him. */
const optOutReason = 'the visitor asked us not to write to him';

/**
 * What an event means where its visitor asked us not to write to him, or did not: what he says is kept for people then,
 * unless it is that we may write again. Pure.
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

interface Failed {
  readonly held: HeldLane;
  readonly numbers: readonly string[];
  readonly error: unknown;
  /** Before this one. */
  readonly attempts: number;
  /** After so many it is given up. */
  readonly mostTries: number;
  /** When the oldest of them came. */
  readonly since: Date;
}

interface RetryPlan {
  /** With this one where it counts. */
  readonly attempts: number;
  readonly isLast: boolean;
  readonly pauseMs: number;
}

const longestReason = 500;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Whatever is said of the database: after so long it may be the event all the same. */
const patienceMs = 24 * 60 * 60 * 1_000;

/**
 * What could not be dealt with waits for another try, or for a person; the lane goes on after what was given up. What the
 * database was to blame for does not count. In how many milliseconds it is to be tried again; null where it is not.
 */
export async function recordTurnFailure(
  { database, clock, log }: Pick<LaneDependencies, 'database' | 'clock' | 'log'>,
  failed: Failed,
): Promise<number | null> {
  const { held, numbers, error } = failed;
  const { channelId, lane } = held;
  const { attempts, isLast, pauseMs } = planRetry(failed, clock.now());
  log[isLast ? 'error' : 'warn'](
    { err: error, channelId, lane, events: numbers },
    'an event was not answered',
  );
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, longestReason);
  await sql`
    update inbound_event
    set attempts = ${attempts}, failure = ${isLast ? reason : null},
        settled_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    where channel_id = ${channelId} and number = any(${[...numbers]}::bigint[])
  `.execute(database.kysely);
  return isLast ? null : pauseMs;
}

function planRetry({ error, attempts, mostTries, since }: Failed, now: Date): RetryPlan {
  const ageMs = now.getTime() - since.getTime();
  if (isDatabaseFault(error) && ageMs < patienceMs) {
    const pauseMs = Math.round(Math.min(Math.max(ageMs / 4, firstPauseMs), longestPauseMs));
    return { attempts, isLast: false, pauseMs };
  }
  const tried = attempts + 1;
  return { attempts: tried, isLast: tried >= mostTries, pauseMs: tried * firstPauseMs };
}
