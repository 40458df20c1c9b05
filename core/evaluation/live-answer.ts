import { z } from 'zod';
import { outcomes } from './judge.ts';

/** The words of a person on the difference between two answers. */
export const trialVerdicts = ['better', 'fine', 'worse'] as const;
export type TrialVerdict = (typeof trialVerdicts)[number];

/** The answer of the live workspace, which a run that tries a change set stores beside that of the set. */
export const liveAnswerSchema = z.object({
  outcome: z.enum(outcomes),
  because: z.string(),
  answer: z.string(),
  tier: z.string().nullable(),
  probability: z.number().nullable(),
  source_title: z.string().nullable(),
  /** Whether a model wrote one of the two answers. */
  generated: z.boolean(),
});

export type LiveAnswer = z.output<typeof liveAnswerSchema>;
