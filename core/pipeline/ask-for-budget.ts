import type { Budget } from '../contract/budget.ts';
import type { LaneKey } from './lane-key.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { type BudgetWait, reserveBudget } from './reserve-budget.ts';

interface Asking {
  readonly budgets: readonly Budget[];
  /** The line from which the lane was called; null where it was not. */
  readonly called: string | null;
}

/** Speaks for one message where nobody was here before; else, or where there is no budget, what has to be waited for. */
export async function askForBudget(
  { database, sendingLines }: Pick<PipelineDependencies, 'database' | 'sendingLines'>,
  lane: LaneKey,
  { budgets, called }: Asking,
): Promise<BudgetWait | null> {
  return (
    sendingLines.behindOthers(lane, budgets, called) ??
    (await reserveBudget(database.kysely, lane.channelId, budgets))
  );
}
