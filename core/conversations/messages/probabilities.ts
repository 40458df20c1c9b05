import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** The number of bins between 0 and 1. */
export const probabilityBins = 20;

const periodDays = 30;
const dayMs = 24 * 3_600_000;

/** How sure the answers of a workspace were, as far as their conversations are still stored. */
export interface ProbabilityHistogram {
  readonly since: Date;
  /** The number of answers in each twentieth between 0 and 1, lowest first. */
  readonly bins: readonly number[];
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/**
 * Counts the answers of the last 30 days by their probability. Courtesies, and answers that a model wrote, have none. Reads
 * through the conversations of the period, which an index finds.
 */
export async function countProbabilities(
  { database, clock }: Dependencies,
  workspaceId: string,
): Promise<ProbabilityHistogram> {
  const since = new Date(clock.now().getTime() - periodDays * dayMs);
  const { rows } = await sql<{ bin: number; answers: number }>`
    select least(${probabilityBins - 1}, floor(probability * ${probabilityBins}))::int as bin, count(*)::int as answers
    from conversation join message on message.conversation_id = conversation.id
    where conversation.workspace_id = ${workspaceId} and conversation.last_message_at >= ${since}
      and message.role = 'assistant' and message.created_at >= ${since} and message.probability is not null
    group by 1
  `.execute(database);
  const byBin = new Map(rows.map(({ bin, answers }) => [bin, answers]));
  return { since, bins: Array.from({ length: probabilityBins }, (_, bin) => byBin.get(bin) ?? 0) };
}
