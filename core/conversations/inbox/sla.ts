import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type ConversationStatus,
  handoverStatuses,
  type SlaState,
} from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';

/** Thresholds for the start of a wait. */
interface SlaLimit {
  /** At risk if the wait started at or before this time: 80 % of the target has passed. */
  readonly atRiskFrom: Date;
  /** Breached if the wait started before this time. */
  readonly breachedBefore: Date;
}

interface SlaLimits {
  /** The limit for the visitor's first message that no agent has answered. */
  readonly firstResponse: SlaLimit | null;
  /** The limit for the message that started the handover. */
  readonly resolution: SlaLimit | null;
}

const minuteMs = 60_000;
/**
 * 80 % of a minute, in whole milliseconds, so that the SQL condition and the displayed state never differ by rounding.
 */
const atRiskMinuteMs = 48_000;

/** Converts the two targets of a policy into points in time relative to `now`; null if there is no target. */
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

/** The start of the visitor's wait. */
export interface Handover {
  readonly status: ConversationStatus;
  readonly unansweredSince: Date | null;
  readonly handoverSince: Date | null;
}

/** Returns the worse state of the two targets. A conversation that no agent has, or without a policy, complies. */
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

/** Returns a condition on `conversation` that matches the rows for which `slaState` returns `state`. */
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

/** Both waits start with a handover, which matches the partial index. */
function handoverCondition(waits: readonly (Expression<SqlBool> | null)[]): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'conversation'>();
  return is.and([
    is('status', 'in', [...handoverStatuses]),
    is('handover_since', 'is not', null),
    is.or(waits.filter((wait) => wait !== null)),
  ]);
}

const handover = sql.join(handoverStatuses.map((status) => sql.lit(status)));

/** When the first of the two targets of the policy is missed; null without a wait or a target. */
export function slaDueAt(policy: SlaPolicy | undefined): RawBuilder<Date | null> {
  const due = (since: string, minutes: number | undefined) =>
    minutes === undefined
      ? sql`null::timestamptz`
      : sql`${sql.ref(since)} + make_interval(mins => ${minutes}::int)`;
  return sql<Date | null>`case when status in (${handover}) and handover_since is not null then least(
    ${due('unanswered_since', policy?.first_response_minutes)}, ${due('handover_since', policy?.resolution_minutes)}
  ) end`;
}
