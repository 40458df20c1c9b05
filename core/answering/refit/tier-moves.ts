import { type Tier, type Tiers, tierOf } from '../../contract/answer.ts';
import type { ProbabilityCounts } from '../../conversations/messages/probabilities.ts';
import { type Correction, correctProbability } from '../../workspaces/correction.ts';

/** Answers that would present themselves differently. */
export interface TierMove {
  readonly from: Tier;
  readonly to: Tier;
  readonly answers: number;
}

interface Change {
  readonly tiers: Tiers;
  /** The correction in use. */
  readonly inUse: Correction | null;
  readonly next: Correction | null;
}

/** Returns how many answers another correction would move between tiers, most first. Pure. */
export function findTierMoves(
  { counts }: Pick<ProbabilityCounts, 'counts'>,
  { tiers, inUse, next }: Change,
): readonly TierMove[] {
  const moves = new Map<string, TierMove>();
  for (const { probability, answers } of counts) {
    const from = tierOf(correctProbability(probability, inUse), tiers);
    const to = tierOf(correctProbability(probability, next), tiers);
    if (from === to) continue;
    const key = `${from} ${to}`;
    moves.set(key, { from, to, answers: answers + (moves.get(key)?.answers ?? 0) });
  }
  return [...moves.values()].sort((one, other) => other.answers - one.answers);
}
