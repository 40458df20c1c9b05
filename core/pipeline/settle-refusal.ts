import type { ConnectorError } from '../contract/connector-error.ts';
import { accountBudgets } from './account-budgets.ts';
import type { HeldLane } from './hold-lane.ts';
import type { WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { setReachable } from './set-reachable.ts';
import { postpone, settlePart } from './settle-part.ts';

interface Refused {
  readonly held: HeldLane;
  /** With the try counted that was refused. */
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** Over about half an hour. */
const mostTries = 8;
const firstPauseMs = 8_000;
/** Whatever a platform says: it may say nothing, or go by another clock. */
const leastPauseMs = 500;
const longestPauseMs = 24 * 60 * 60 * 1_000;

type Dependencies = Pick<
  PipelineDependencies,
  'channelAccounts' | 'database' | 'clock' | 'heldBack' | 'outages' | 'wakeDeliveries'
>;

/** Stores that a platform did not take a part, and tells when it is tried again; null where it is not. */
export async function settleRefusal(
  dependencies: Dependencies,
  { held, next, open }: Refused,
  error: ConnectorError,
): Promise<Date | null> {
  const { channelAccounts, clock } = dependencies;
  const database = dependencies.database.kysely;
  const { advice, message: failure } = error;
  // Until the visitor is heard of again.
  if (error.unreachable) await setReachable(database, held, { reachable: false });
  if (error.account) await channelAccounts.noteRefusal(open.account.id, failure);
  if (advice.retry === 'backoff') dependencies.outages.noteFailure(held.channelId);
  await noteLimit(dependencies, { held, next, open }, advice);
  if (advice.retry === 'never') {
    // What an account could not send another token of it can: an operator may try it again then.
    await settlePart(dependencies, next, { status: error.account ? 'dead' : 'failed', failure });
    return null;
  }
  if (next.attempts >= mostTries) {
    await settlePart(dependencies, next, { status: 'dead', failure });
    return null;
  }
  const at = new Date(clock.now().getTime() + pauseOf(advice, next.attempts));
  // What was silent, or says that it failed, may have done it all the same.
  const isInDoubt = advice.retry === 'backoff';
  await postpone(database, next, { at, attempts: next.attempts, failure, isInDoubt });
  return at;
}

async function noteLimit(
  { heldBack }: Pick<Dependencies, 'heldBack'>,
  { held, next, open }: Refused,
  advice: ConnectorError['advice'],
): Promise<void> {
  if (advice.retry !== 'after' || advice.limited === undefined) return;
  const { afterMs, limited } = advice;
  const forMs = Math.max(afterMs, leastPauseMs);
  await heldBack.note(held, { budgets: accountBudgets(open, next.to), forMs, limited });
}

function pauseOf(advice: ConnectorError['advice'], attempts: number): number {
  const doubling = 2 ** (attempts - 1);
  if (advice.retry === 'after') {
    return Math.min(Math.max(advice.afterMs, leastPauseMs * doubling), longestPauseMs);
  }
  return firstPauseMs * doubling * (0.75 + Math.random() / 2);
}
