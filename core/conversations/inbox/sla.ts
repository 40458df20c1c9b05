import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';
import { type ConversationStatus, handoverStatuses, type SlaState } from '../conversation-values.ts';

/** What a wait that began when it did has come to. */
interface SlaLimit {
  /** At risk when it began then or earlier: 80 % of the target have passed. */
  readonly atRiskFrom: Date;
  /** Breached when it began earlier than that. */
  readonly breachedBefore: Date;
}

interface SlaLimits {
  /** For the visitor's first message that no person has answered. */
  readonly firstResponse: SlaLimit | null;
  /** For the message that the handover began with. */
  readonly resolution: SlaLimit | null;
}

const minuteMs = 60_000;
/** 80 % of a minute: whole milliseconds, so that no rounding tells a query from what it is shown as. */
const atRiskMinuteMs = 48_000;

/** The two targets of a policy as points in time, seen from `now`; null where there is no target. */
function slaLimits(policy: SlaPolicy | undefined, now: Date): SlaLimits {
  return {
    firstResponse: toLimit(policy?.first_response_minutes, now),
    resolution: toLimit(policy?.resolution_minutes, now),
  };
}

function toLimit(minutes: number | undefined, now: Date): SlaLimit | null {
  if (minutes === undefined) return null;
  return {
    atRiskFrom: new Date(now.getTime() - minutes * atRiskMinuteMs),
    breachedBefore: new Date(now.getTime() - minutes * minuteMs),
  };
}

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
    compareWithLimit(handover.unansweredSince, limits.firstResponse),
    compareWithLimit(handover.handoverSince, limits.resolution),
  ];
  return (['breached', 'at_risk'] as const).find((state) => states.includes(state)) ?? 'in_compliance';
}

function compareWithLimit(since: Date | null, limit: SlaLimit | null): SlaState {
  if (since === null || limit === null) return 'in_compliance';
  if (since < limit.breachedBefore) return 'breached';
  return since <= limit.atRiskFrom ? 'at_risk' : 'in_compliance';
}

/** `slaState` as a condition on `conversation`: the rows that it gives the state asked for. */
export function slaCondition(state: SlaState, policy: SlaPolicy | undefined, now: Date): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation'>();
  const { firstResponse, resolution } = slaLimits(policy, now);
  const breached = handoverCondition([
    firstResponse && is('unanswered_since', '<', firstResponse.breachedBefore),
    resolution && is('handover_since', '<', resolution.breachedBefore),
  ]);
  if (state === 'breached') return breached;
  const late = handoverCondition([
    firstResponse && is('unanswered_since', '<=', firstResponse.atRiskFrom),
    resolution && is('handover_since', '<=', resolution.atRiskFrom),
  ]);
  return state === 'at_risk' ? sql<SqlBool>`${late} and ${breached} is not true` : sql`${late} is not true`;
}

/** Both waits begin with a handover, which is what the index of them holds. */
function handoverCondition(waits: readonly (Expression<SqlBool> | null)[]): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation'>();
  return is.and([
    is('status', 'in', [...handoverStatuses]),
    is('handover_since', 'is not', null),
    is.or(waits.filter((wait) => wait !== null)),
  ]);
}
