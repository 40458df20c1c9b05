import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { outcomes } from './outcomes.ts';

const confidences = ['high', 'medium', 'low'] as const;

/** An answer that was for everybody, and one of which the audience is not known. */
export const audienceKeys = { everybody: '*', unknown: '-' } as const;

/** The filters of all panels. Those about questions limit conversations to those with such a question. */
export const insightFiltersSchema = z.object({
  channel: z.string().min(1).max(100).optional(),
  language: z.string().min(1).max(10).optional().meta({
    description: 'ISO 639-1. `und`: questions that are too short to tell.',
  }),
  audience: z.string().min(1).max(100).optional().meta({
    description: '`*`: answers for everybody. `-`: the audience is not known.',
  }),
  confidence: z.enum(confidences).optional(),
  hour: z.coerce.number().int().min(0).max(23).optional().meta({ description: 'In the time zone.' }),
  document: z.string().min(1).max(100).optional().meta({ description: 'Answers that rest on it.' }),
  model: z.string().min(1).max(200).optional().meta({ description: '`-`: no model wrote.' }),
  outcome: z.enum(outcomes).optional(),
});

export type InsightFilters = z.output<typeof insightFiltersSchema>;

/** The unit that a panel counts. */
export interface InsightScope {
  readonly workspaceId: string;
  /** IANA. Days and hours are those of this time zone. */
  readonly zone: string;
  /** The first and the last day, as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly filters: InsightFilters;
  readonly now: Date;
}

type Condition = RawBuilder<unknown>;

/** Joins conditions. Pure. */
export function all(conditions: readonly Condition[]): Condition {
  return sql.join([...conditions], sql` and `);
}

/** The condition that a time lies in the range. Pure. */
function inRange(time: Condition, { from, to, zone }: InsightScope): Condition {
  return sql`${time} >= ${from}::date::timestamp at time zone ${zone}
    and ${time} < (${to}::date + 1)::timestamp at time zone ${zone}`;
}

/** The conditions on questions, as `question`, that were asked in the range. Pure. */
export function questionsIn(scope: InsightScope): readonly Condition[] {
  const { workspaceId, now, filters } = scope;
  return [
    sql`question.workspace_id = ${workspaceId}`,
    inRange(sql`question.asked_at`, scope),
    ...questionConditions(scope),
    ...(filters.outcome === undefined
      ? []
      : [sql`question.outcome = ${filters.outcome} and question.settles_at <= ${now}`]),
  ];
}

/** The conditions on episodes, as `episode`, of which `time` is in the range. Pure. */
export function episodesIn(scope: InsightScope, time: 'ended_at' | 'handed_at'): readonly Condition[] {
  const { workspaceId, filters } = scope;
  const { channel, outcome } = filters;
  const asked = questionConditions({ ...scope, filters: { ...filters, channel: undefined } });
  return [
    sql`episode.workspace_id = ${workspaceId}`,
    inRange(sql.ref(`episode.${time}`), scope),
    ...(channel === undefined ? [] : [sql`episode.channel = ${channel}`]),
    ...(outcome === undefined ? [] : [sql`episode.outcome = ${outcome}`]),
    ...(asked.length === 0
      ? []
      : [
          sql`exists (
            select from insight_question as question
            where question.conversation_id = episode.conversation_id and question.episode = episode.number
              and question.workspace_id = ${workspaceId} and ${all(asked)}
          )`,
        ]),
  ];
}

function questionConditions({ filters, zone }: InsightScope): readonly Condition[] {
  const { channel, language, audience, confidence, hour, document, model } = filters;
  return [
    ...(channel === undefined ? [] : [sql`question.channel = ${channel}`]),
    ...(language === undefined ? [] : [sql`question.language = ${language}`]),
    ...(audience === undefined ? [] : [forAudience(audience)]),
    ...(confidence === undefined ? [] : [sql`question.confidence = ${confidence}`]),
    ...(hour === undefined ? [] : [sql`extract(hour from question.asked_at at time zone ${zone}) = ${hour}`]),
    ...(document === undefined ? [] : [sql`${document} = any (question.documents)`]),
    ...(model === undefined
      ? []
      : [model === '-' ? sql`question.model is null` : sql`question.model = ${model}`]),
  ];
}

function forAudience(audience: string): Condition {
  switch (audience) {
    case audienceKeys.everybody:
      return sql`question.audience = '{}'`;
    case audienceKeys.unknown:
      return sql`question.audience is null`;
    default:
      return sql`${audience} = any (question.audience)`;
  }
}
