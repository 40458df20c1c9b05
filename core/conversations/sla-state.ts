import type { SlaPolicy } from '../workspaces/workspace-settings.ts';
import { type ConversationStatus, handoverStatuses, type SlaState } from './conversation-values.ts';
import { type SlaLimit, slaLimits } from './sla-limits.ts';

/** Since when the visitor waits. */
export interface Handover {
  readonly status: ConversationStatus;
  readonly unansweredSince: Date | null;
  readonly handoverSince: Date | null;
}

/** The worse of the two targets; a conversation that no person has, or without a policy, complies. */
export function slaState(handover: Handover, policy: SlaPolicy | undefined, now: Date): SlaState {
  const withPerson = handoverStatuses.some((status) => status === handover.status);
  if (!withPerson || handover.handoverSince === null) return 'in_compliance';
  const limits = slaLimits(policy, now);
  const states = [
    stateOf(handover.unansweredSince, limits.firstResponse),
    stateOf(handover.handoverSince, limits.resolution),
  ];
  return (['breached', 'at_risk'] as const).find((state) => states.includes(state)) ?? 'in_compliance';
}

function stateOf(since: Date | null, limit: SlaLimit | null): SlaState {
  if (since === null || limit === null) return 'in_compliance';
  if (since < limit.breachedBefore) return 'breached';
  return since <= limit.atRiskFrom ? 'at_risk' : 'in_compliance';
}
