import type { SlaPolicy } from '../workspaces/workspace-settings.ts';

/** What a wait that began when it did has come to. */
export interface SlaLimit {
  /** At risk when it began then or earlier: 80 % of the target have passed. */
  readonly atRiskFrom: Date;
  /** Breached when it began earlier than that. */
  readonly breachedBefore: Date;
}

export interface SlaLimits {
  /** For the visitor's first message that no person has answered. */
  readonly firstResponse: SlaLimit | null;
  /** For the message that the handover began with. */
  readonly resolution: SlaLimit | null;
}

const minuteMs = 60_000;
/** 80 % of a minute: whole milliseconds, so that no rounding tells a query from what it is shown as. */
const atRiskMinuteMs = 48_000;

/** The two targets of a policy as points in time, seen from `now`; null where there is no target. */
export function slaLimits(policy: SlaPolicy | undefined, now: Date): SlaLimits {
  return {
    firstResponse: limitOf(policy?.first_response_minutes, now),
    resolution: limitOf(policy?.resolution_minutes, now),
  };
}

function limitOf(minutes: number | undefined, now: Date): SlaLimit | null {
  if (minutes === undefined) return null;
  return {
    atRiskFrom: new Date(now.getTime() - minutes * atRiskMinuteMs),
    breachedBefore: new Date(now.getTime() - minutes * minuteMs),
  };
}
