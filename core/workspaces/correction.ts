import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../storage/tables/tables.ts';

/**
 * How a workspace corrects the probability that the product computes, fitted to answers that people judged: two numbers on
 * its log-odds (Platt scaling). The slope is positive, so that the order of passages stays as it is.
 */
export const correctionSchema = z.object({
  slope: z.number().min(0.25).max(4),
  offset: z.number().min(-3).max(3),
});

export type Correction = z.output<typeof correctionSchema>;

/** Changes nothing. */
export const identityCorrection: Correction = { slope: 1, offset: 0 };

/** A passage is never certain, and the log-odds of 0 and 1 are infinite. */
const LEAST = 0.001;

/** Returns the log-odds of a probability; those of .001 and .999 for all beyond. */
export function toLogOdds(probability: number): number {
  const bounded = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(bounded / (1 - bounded));
}

export function fromLogOdds(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Returns the corrected probability. That of nothing, 0, stays 0, and null corrects nothing. */
export function correctProbability(probability: number, correction: Correction | null): number {
  if (correction === null || probability <= 0) return probability;
  return fromLogOdds(correction.slope * toLogOdds(probability) + correction.offset);
}

/** Returns the probability before it was corrected. */
export function undoCorrection(corrected: number, { slope, offset }: Correction): number {
  if (corrected <= 0) return corrected;
  return fromLogOdds((Math.log(corrected / (1 - corrected)) - offset) / slope);
}

/** The correction that a workspace uses. */
export const usedCorrectionSchema = correctionSchema.extend({
  /** The number of judged answers that it was fitted to. */
  judged: z.int(),
  since: z.iso.datetime(),
});

export type UsedCorrection = z.output<typeof usedCorrectionSchema>;

/** Replaces the correction in use, in the transaction that holds its offer. Null takes it back. */
export async function setCorrection(
  transaction: Transaction<Tables>,
  workspaceId: string,
  correction: UsedCorrection | null,
): Promise<void> {
  await transaction
    .updateTable('workspace')
    .set({ correction: correction === null ? null : JSON.stringify(correction) })
    .where('id', '=', workspaceId)
    .execute();
}
