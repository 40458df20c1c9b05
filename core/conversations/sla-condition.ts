import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { SlaPolicy } from '../workspaces/workspace-settings.ts';
import { handoverStatuses, type SlaState } from './conversation-values.ts';
import { slaLimits } from './sla-limits.ts';

/** `slaState` as a condition on `conversation`: the rows that it gives the state asked for. */
export function slaCondition(state: SlaState, policy: SlaPolicy | undefined, now: Date): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation'>();
  const { firstResponse, resolution } = slaLimits(policy, now);
  const breached = handedOver([
    firstResponse && is('unanswered_since', '<', firstResponse.breachedBefore),
    resolution && is('handover_since', '<', resolution.breachedBefore),
  ]);
  if (state === 'breached') return breached;
  const late = handedOver([
    firstResponse && is('unanswered_since', '<=', firstResponse.atRiskFrom),
    resolution && is('handover_since', '<=', resolution.atRiskFrom),
  ]);
  return state === 'at_risk' ? sql<SqlBool>`${late} and ${breached} is not true` : sql`${late} is not true`;
}

/** Both waits begin with a handover, which is what the index of them holds. */
function handedOver(waits: readonly (Expression<SqlBool> | null)[]): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation'>();
  return is.and([
    is('status', 'in', [...handoverStatuses]),
    is('handover_since', 'is not', null),
    is.or(waits.filter((wait) => wait !== null)),
  ]);
}
