import type { ConversationRef } from '../contract/account.ts';
import type { Budget } from '../contract/budget.ts';
import type { OpenAccount } from './open-account.ts';

/** A budget, and which channel has it. */
export interface AccountBudget extends Budget {
  readonly channelId: string;
}

/** What may be sent there. The last one is about all that the account sends. */
export function accountBudgets(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  to: ConversationRef,
): readonly AccountBudget[] {
  return connector.budgets(to, account).map((budget) => ({
    ...budget,
    channelId: budget.ofApp ? (account.parentId ?? account.id) : account.id,
  }));
}
