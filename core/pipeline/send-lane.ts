import { setTimeout as wait } from 'node:timers/promises';
import { barPart } from './bar-part.ts';
import type { SendingLane } from './commit-turn.ts';
import { type HeldLane, holdLane } from './hold-lane.ts';
import type { LaneKey } from './lane-key.ts';
import { nextPart, type WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { reserveBudget } from './reserve-budget.ts';
import { sendPart } from './send-part.ts';
import { postpone, type Settled, settlePart } from './settle-part.ts';
import { wakeLane } from './wake-lane.ts';

type Dependencies = Pick<
  PipelineDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'connectorCalls'
  | 'log'
  | 'metrics'
  | 'queue'
  | 'findAccount'
  | 'sendingGate'
  | 'sentBatches'
  | 'sentJournal'
  | 'signal'
>;

/** Shorter waits are not worth another job. */
const waitHereMs = 1_500;

interface How {
  /** The lane is ours already. */
  readonly taken?: SendingLane | null | undefined;
  /** The token of whoever answers in the lane meanwhile, who lets go of it with the last part. */
  readonly answering?: string;
}

/**
 * Sends what waits in a lane, part by part in its order, as far as it is due, unless another worker does. 'let go' where
 * that was the end of the answering too.
 */
export async function sendLane(
  dependencies: Dependencies,
  key: LaneKey,
  { taken, answering }: How = {},
): Promise<'let go' | undefined> {
  const { signal } = dependencies;
  const database = dependencies.database.kysely;
  const hold = { key, role: 'sending', signal } as const;
  const ours = taken && { token: taken.token, take: async () => true };
  let known = taken?.next ?? null;
  let isAnswered = false;
  await holdLane({ ...dependencies, database }, { ...hold, ...ours }, async (held) => {
    const next = known ?? (await nextPart(database, held));
    known = null;
    if (next === null) return undefined;
    const done = await sendNext(dependencies, { held, next, answering });
    if (typeof done !== 'object') return done;
    ({ next: known, isAnswered } = done);
    return known === null ? 'let go' : 'go on';
  });
  return isAnswered ? 'let go' : undefined;
}

/** Tells what is next where that is known. */
async function sendNext(
  dependencies: Dependencies,
  { held, next, answering }: Omit<Going, 'open'> & { readonly answering: string | undefined },
): Promise<'left' | undefined | Settled> {
  const { database, clock } = dependencies;
  if (next.dueAt > clock.now()) {
    await wakeAt(dependencies, { held, next, at: next.dueAt });
    return undefined;
  }
  const open = await dependencies.findAccount(held.channelId);
  // It is sent when the channel is switched on again.
  if (open === null) return 'left';
  if (next.isOvertaken) {
    await settlePart(database.kysely, next, {
      status: 'withheld',
      failure: 'A person took the conversation over.',
    });
    return undefined;
  }
  if (await barPart(dependencies, { next, open })) return undefined;
  if (!(await mayGo(dependencies, { held, next, open }))) return undefined;
  const outcome = await sendPart(dependencies, { held, next, open, answering });
  if (outcome.kind === 'sent') return outcome;
  if (outcome.kind === 'postponed') await wakeAt(dependencies, { held, next, at: outcome.at });
  return undefined;
}

interface Going {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** Waits for the budgets where that is short; else the part is put off, and a worker woken then. */
async function mayGo(dependencies: Dependencies, { held, next, open }: Going): Promise<boolean> {
  const { database, clock } = dependencies;
  const { connector, account } = open;
  const budgets = connector.budgets(next.to, account);
  for (;;) {
    const waitMs = await reserveBudget(database.kysely, held.channelId, budgets);
    if (waitMs === 0) return true;
    if (waitMs > waitHereMs) {
      const at = new Date(clock.now().getTime() + waitMs);
      await postpone(database.kysely, next, { at, attempts: next.attempts, failure: null });
      await wakeAt(dependencies, { held, next, at });
      return false;
    }
    await wait(waitMs, undefined, { signal: held.signal });
  }
}

async function wakeAt(
  dependencies: Pick<Dependencies, 'queue' | 'clock' | 'log'>,
  { held, next, at }: { readonly held: HeldLane; readonly next: WaitingPart; readonly at: Date },
): Promise<void> {
  const delayMs = Math.max(0, at.getTime() - dependencies.clock.now().getTime());
  await wakeLane(dependencies, { name: 'deliver', id: `${next.number}-${at.getTime()}`, key: held, delayMs });
}
