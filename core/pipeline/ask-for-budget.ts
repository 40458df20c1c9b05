import type { AccountBudget } from './account-budgets.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { type BudgetWait, reserveBudget } from './reserve-budget.ts';

interface Asking {
  readonly budgets: readonly AccountBudget[];
  /** The line from which the lane was called; null where it was not. */
  readonly called: string | null;
}

/** Speaks for one message where nobody was here before; else, or where there is no budget, what has to be waited for. */
export async function askForBudget(
  { database, sendingLines }: Pick<PipelineDependencies, 'database' | 'sendingLines'>,
  { budgets, called }: Asking,
): Promise<BudgetWait | null> {
  return sendingLines.behindOthers(budgets, called) ?? (await reserveBudget(database.kysely, budgets));
}
