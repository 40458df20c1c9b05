import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type Correction, correctProbability } from '../../workspaces/correction.ts';

/** The number of bins between 0 and 1. */
export const probabilityBins = 20;

const periodDays = 30;
const dayMs = 24 * 3_600_000;
/** Probabilities are counted by their thousandth, rounded down. */
const STEPS = 1_000;

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** How sure the answers of a workspace were before any correction. */
export interface ProbabilityCounts {
  readonly since: Date;
  readonly counts: readonly { readonly probability: number; readonly answers: number }[];
}

/**
 * Counts the answers of the last 30 days by their probability before any correction, as far as their conversations
 * are still stored. Courtesies, and answers that a model wrote, have none. It reads the conversations of the period,
 * which an index finds.
 */
export async function countProbabilities(
  { database, clock }: Dependencies,
  workspaceId: string,
): Promise<ProbabilityCounts> {
  const since = new Date(clock.now().getTime() - periodDays * dayMs);
  // Decisions are large: they are read only if one of them can tell of a correction.
  const { rows } = await sql<{ step: number; answers: number }>`
    select floor(${STEPS} * case
        when exists (select from correction_offer where workspace_id = ${workspaceId} and was_used)
        then coalesce((decision -> 'correction' ->> 'probability')::real, probability) else probability
      end)::int as step, count(*)::int as answers
    from conversation join message on message.conversation_id = conversation.id
    where conversation.workspace_id = ${workspaceId} and conversation.last_message_at >= ${since}
      and message.role = 'assistant' and message.created_at >= ${since} and message.probability is not null
    group by 1
  `.execute(database);
  return { since, counts: rows.map(({ step, answers }) => ({ probability: step / STEPS, answers })) };
}

/** Returns the number of answers in each twentieth between 0 and 1, lowest first, as a correction calls them. Pure. */
export function toBins(
  { counts }: Pick<ProbabilityCounts, 'counts'>,
  correction: Correction | null,
): readonly number[] {
  const bins = new Array<number>(probabilityBins).fill(0);
  for (const { probability, answers } of counts) {
    const corrected = correctProbability(probability, correction);
    const bin = Math.min(probabilityBins - 1, Math.floor((corrected * STEPS * probabilityBins) / STEPS));
    bins[bin] = (bins[bin] ?? 0) + answers;
  }
  return bins;
}
