import { z } from 'zod';
import { supportHoursSchema } from './support-hours.ts';

export const planNames = ['free', 'starter', 'growth', 'business', 'enterprise'] as const;

export type PlanName = (typeof planNames)[number];

export const planSchema = z.enum(planNames);

interface Plan {
  /** True if the workspace's keys may call `/v1`. */
  readonly apiAccess: boolean;
  /** Messages per owner and calendar month (UTC). */
  readonly messagesPerMonth: number;
  /** Conversations without a message for this many days are deleted. */
  readonly retentionDays: number;
}

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: { apiAccess: false, messagesPerMonth: 50, retentionDays: 7 },
  starter: { apiAccess: true, messagesPerMonth: 2_000, retentionDays: 30 },
  growth: { apiAccess: true, messagesPerMonth: 10_000, retentionDays: 90 },
  business: { apiAccess: true, messagesPerMonth: 50_000, retentionDays: 365 },
  enterprise: { apiAccess: true, messagesPerMonth: Number.POSITIVE_INFINITY, retentionDays: 365 },
};

const visitorText = z.string().trim().min(1).max(1_000);

/** Languages (ISO 639-1) in which a workspace can word its own texts for visitors. */
export const ownTextLanguages = [
  'en',
  'de',
  'es',
  'fr',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'ar',
  'ja',
  'zh',
] as const;

const visitorTexts = z.partialRecord(z.enum(ownTextLanguages), visitorText);
const audienceTag = z.string().trim().min(1).max(64);
const minutes = z.number().int().min(1).max(525_600);

/** The audiences that each plan of a verified visitor opens. */
const planAudiencesSchema = z
  .record(z.string().min(1).max(64), z.array(audienceTag).max(50))
  .refine((plans) => Object.keys(plans).length <= 50);

/** The settings of a workspace. Every field is optional. A missing field means the default. */
export const workspaceSettingsSchema = z.object({
  nlweb_enabled: z.boolean().optional(),
  mcp_enabled: z.boolean().optional(),
  description: z.string().max(1_000).optional(),
  fallback_message: visitorText.optional(),
  fallback_messages: visitorTexts.optional(),
  disclosure_enabled: z.boolean().optional(),
  disclosure_message: visitorText.optional(),
  disclosure_messages: visitorTexts.optional(),
  audiences: z.array(audienceTag).max(50).optional(),
  plan_audiences: planAudiencesSchema.optional(),
  require_identity_verification: z.boolean().optional(),
  strictness: z.enum(['strict', 'fallback']).optional(),
  allowed_domains: z.array(z.hostname()).max(100).optional(),
  sla: z.object({ first_response_minutes: minutes, resolution_minutes: minutes }).partial().optional(),
  retention_days: z.number().int().min(1).max(365).optional(),
  model: z.string().min(1).max(500).optional(),
  embedding_model: z.string().min(1).max(200).optional(),
  mask_secrets: z.boolean().optional(),
  skills: z.array(z.string().min(1).max(64)).max(50).optional(),
  support_hours: supportHoursSchema.optional(),
  answer_from: z.number().min(0.2).max(0.9).optional(),
  maybe_from: z.number().min(0.05).max(0.9).optional(),
  trace_days: z.number().int().min(0).max(365).optional(),
  escalate_after_fallbacks: z.number().int().min(1).max(10).optional(),
  publish_needs_green: z.boolean().optional(),
  ask_for_rating: z.boolean().optional(),
  handover: z
    .object({
      assignment: z.enum(['none', 'round_robin', 'least_busy']),
      return_after_minutes: z.number().int().min(1).max(10_080),
      capacity: z.number().int().min(1).max(500).meta({
        description:
          'The conversations that may wait for one person before others get the next; 10 if absent.',
      }),
    })
    .partial()
    .optional(),
});

export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;

export const DEFAULT_TRACE_DAYS = 30;
/** The number of conversations that may wait for one person before others get the next. */
export const DEFAULT_CAPACITY = 10;

/** The number of days for which the traces of answers are kept; 0: none is made. */
export function traceDays({ trace_days: days }: Pick<WorkspaceSettings, 'trace_days'>): number {
  return days ?? DEFAULT_TRACE_DAYS;
}

/** Targets in minutes for a person's response. A missing target is not measured. */
export type SlaPolicy = NonNullable<WorkspaceSettings['sla']>;

/** A change of settings. Null clears a setting. */
export const workspaceSettingsChangeSchema = z.object(clearable(workspaceSettingsSchema.shape));

/** The same fields, each of which may be null too. The compiler cannot follow a loop over them: a test does. */
function clearable<Shape extends z.ZodRawShape>(
  shape: Shape,
): { readonly [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };
function clearable(shape: z.ZodRawShape): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, z.nullable(field)]));
}
