import { randomUUID } from 'node:crypto';
import type { Workspace } from '../workspaces/workspaces.ts';
import { answerTurn } from './answer-turn.ts';
import { heedWish } from './heed-wish.ts';
import { type HeldLane, holdLane, LaneLost, type Round } from './hold-lane.ts';
import type { LaneConversation } from './lane-conversation.ts';
import type { LaneKey } from './lane-key.ts';
import { type LaneWork, laneWork, type WaitingEvent } from './lane-work.ts';
import type { LiveHearing } from './live-hearing.ts';
import { markHandled } from './mark-handled.ts';
import { asSaid, type NumberedEvent, nextStep, type Step } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { recordFailure } from './record-failure.ts';
import { sendLane } from './send-lane.ts';
import { takeNote } from './take-note.ts';
import { turnLanguage } from './turn-language.ts';
import { wakeLane } from './wake-lane.ts';

/** In all, with the one that only says that something went wrong. */
const mostTries = 3;

/**
 * Deals with what came in a lane, in its order, unless another worker does: with all of it, or with one turn and then with
 * the rest after those of other lanes that wait for it here. `live` hears the answer to his.
 */
export async function answerLane(
  dependencies: PipelineDependencies,
  key: LaneKey,
  live?: LiveHearing,
): Promise<void> {
  const { signal, clock, queue, laneBatches, takenLanes } = dependencies;
  const database = dependencies.database.kysely;
  const given = takenLanes.collect(key);
  const token = given?.token ?? randomUUID();
  let taken: LaneWork | null = given?.work ?? null;
  const take = async () => {
    taken ??= await laneBatches.take({ ...key, token });
    return taken !== null;
  };
  const hold = { key, role: 'answering', signal, token, take } as const;
  let next: WaitingEvent | undefined;
  await holdLane({ ...dependencies, database }, hold, async (held) => {
    const isFirst = taken !== null;
    const work = taken ?? (await laneWork(database, held, clock.now()));
    taken = null;
    if (work === null) return 'left';
    // Who listens to his answer would not hear one that is made elsewhere.
    const mayStay = isFirst || live !== undefined || !queue.isCrowded('answer');
    next = mayStay ? undefined : work.events[0];
    return next === undefined ? dealWithNext(dependencies, { held, work, live }) : 'left';
  });
  // Only now, so that whoever is woken finds the lane free.
  if (next !== undefined)
    await wakeLane(dependencies, { name: 'answer', id: `${next.number}-turn-${next.attempts}`, key });
}

interface Working {
  readonly held: HeldLane;
  readonly work: LaneWork;
  readonly live: LiveHearing | undefined;
}

async function dealWithNext(
  dependencies: PipelineDependencies,
  { held, work, live }: Working,
): Promise<Round> {
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
  const events = asSaid(waiting.flatMap((event) => numbered(event, open)));
  const step = nextStep(
    events.map(({ number, event }) => ({ number, event: heedWish(event, { isOptedOut }) })),
    isJoined,
  );
  return carryOut(dependencies, { held, open, step, waiting, live, workspace, conversation });
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
  readonly live: LiveHearing | undefined;
  readonly workspace: Workspace;
  readonly conversation: LaneConversation | null;
}

async function carryOut(dependencies: PipelineDependencies, doing: Doing): Promise<Round> {
  const { held, open, step, waiting, workspace, conversation } = doing;
  const { numbers, does } = step;
  const { database, clock } = dependencies;
  if (does === null) {
    // What tells nothing at all has no events, hence no numbers of its own.
    const passed = numbers.length > 0 ? numbers : waiting.map(({ number }) => number);
    await markHandled(database.kysely, { ...held, numbers: passed, now: clock.now() });
    return undefined;
  }
  const handled = waiting.filter(({ number }) => numbers.includes(number));
  const attempts = Math.max(...handled.map((one) => one.attempts));
  try {
    const answering = held.token;
    if (!('kind' in does)) {
      await takeNote(dependencies, { held, open, numbers, event: does });
      return does.type === 'asked-for' ? await sendLane(dependencies, held, { answering }) : undefined;
    }
    const mayRetry = attempts + 1 < mostTries;
    const begun = clock.now();
    const live = doing.live && numbers.includes(doing.live.number) ? doing.live : undefined;
    const language = turnLanguage(does);
    const asked = { held, open, workspace, conversation, turn: does, language, numbers, mayRetry, live };
    const said = await answerTurn(dependencies, asked);
    if (said !== null) measure(dependencies, open, { begun, handled });
    return await sendLane(dependencies, held, { taken: said?.toSend, answering });
  } catch (error) {
    if (held.signal.aborted || error instanceof LaneLost) throw error;
    const since = oldestOf(handled);
    const delayMs = await recordFailure(dependencies, { held, numbers, error, attempts, mostTries, since });
    if (delayMs === null) return undefined;
    const id = `${numbers[0]}-again-${clock.now().getTime()}`;
    await wakeLane(dependencies, { name: 'answer', id, key: held, delayMs });
    return undefined;
  }
}

function oldestOf(events: readonly WaitingEvent[]): Date {
  return new Date(Math.min(...events.map(({ receivedAt }) => receivedAt.getTime())));
}

/** Whoever wrote first waited longest. */
function measure(
  { clock, metrics }: Pick<PipelineDependencies, 'clock' | 'metrics'>,
  { account }: OpenAccount,
  { begun, handled }: { readonly begun: Date; readonly handled: readonly WaitingEvent[] },
): void {
  const now = clock.now().getTime();
  metrics.channels.answered(account.channel, {
    delayMs: now - oldestOf(handled).getTime(),
    durationMs: now - begun.getTime(),
  });
}
