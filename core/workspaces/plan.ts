import { z } from 'zod';

export const planNames = ['free', 'starter', 'growth', 'business', 'enterprise'] as const;

export type PlanName = (typeof planNames)[number];

export const planSchema = z.enum(planNames);

interface Plan {
  /** Whether keys of the workspace may call `/v1`. */
  readonly apiAccess: boolean;
  /** Messages an owner may use in a calendar month (UTC). */
  readonly messagesPerMonth: number;
  /** Conversations are deleted when they are older. */
  readonly retentionDays: number;
}

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: { apiAccess: false, messagesPerMonth: 50, retentionDays: 7 },
  starter: { apiAccess: true, messagesPerMonth: 2_000, retentionDays: 30 },
  growth: { apiAccess: true, messagesPerMonth: 10_000, retentionDays: 90 },
  business: { apiAccess: true, messagesPerMonth: 50_000, retentionDays: 365 },
  enterprise: { apiAccess: true, messagesPerMonth: Number.POSITIVE_INFINITY, retentionDays: 365 },
};
