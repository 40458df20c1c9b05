import { z } from 'zod';

/** How an answer came about: what wrote its text, or why it has no end. */
export const answerPaths = [
  'quoted',
  'maybe',
  'model',
  'fallback',
  'skill',
  'small_talk',
  'cancelled',
  'timeout',
] as const;

/** How the call of a model ended. `paused`: it failed shortly before, so it was not called. */
export const attemptOutcomes = [
  'ok',
  'cancelled',
  'paused',
  'failed',
  'misconfigured',
  'rate_limited',
  'refused',
  'timeout',
  'unreachable',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

const share = z.number();
const milliseconds = z.int();

/**
 * How an answer was made, step by step, for operators. It is stored beside the decision, kept for the number of days that
 * the workspace sets, and deleted with its message. It holds ids and numbers; its few texts are masked like the question.
 */
export const answerTraceSchema = z.object({
  v: z.literal(1),
  path: z.enum(answerPaths),
  /** The time of each stage. Absent: the answer did not come so far. */
  ms: z.object({
    understanding: milliseconds.optional(),
    searching: milliseconds.optional(),
    reading: milliseconds.optional(),
    writing: milliseconds.optional(),
  }),
  question: z.object({
    language: z.string(),
    audience: z.array(z.string()),
    verified: z.boolean(),
    /** The number of exchanges that it remembers. */
    turns: z.int(),
    masked: z.boolean(),
  }),
  /** The texts that were searched, in order, at most twelve. */
  readings: z.array(
    z.object({
      text: z.string(),
      /** The question in the message, from 0. */
      part: z.int(),
      /** The score of the best passage that it found. */
      score: share,
      ms: milliseconds,
    }),
  ),
  /** The number of passages found. */
  found: z.int(),
  /** The best of them over all questions, best first, at most twenty. */
  passages: z.array(
    z.object({
      chunk: z.string(),
      document: z.string(),
      /** The evidence: words, share of the question, meaning, and all of it together. */
      words: share,
      coverage: share,
      meaning: share,
      fused: share,
      score: share,
      /** Whether the reader or the model read it. */
      read: z.boolean(),
      /**
       * `used`: a sentence of the answer rests on it. `shown`: it is a source. `cut`: it reaches the limit of an answer, but
       * was neither. `below`: it does not.
       */
      use: z.enum(['used', 'shown', 'cut', 'below']),
    }),
  ),
  /** The probabilities from which on a passage is shown in each tier. */
  limits: z.object({ maybe: share, answer: share, high: share }),
  /** The calls of models, in order. */
  attempts: z.array(
    z.object({
      for: z.enum(['answer', 'search', 'skills']),
      model: z.string(),
      outcome: z.enum(attemptOutcomes),
      ms: milliseconds,
      tokens: z.int(),
    }),
  ),
  /** The text of the model, sentence by sentence, at most 2,000 characters. */
  sentences: z.array(
    z.object({
      text: z.string(),
      verdict: z.enum(['grounded', 'neutral', 'unsupported', 'echo']),
      /** `quoted`: the passage's own words took its place. */
      fate: z.enum(['kept', 'quoted', 'dropped']),
      /** The passages that it rests on. */
      by: z.array(z.string()),
    }),
  ),
  skills: z.array(
    z.object({
      name: z.string(),
      by: z.enum(['engine', 'words', 'model']),
      outcome: z.enum(['replied', 'found', 'silent', 'sign_in', 'failed']),
      ms: milliseconds,
    }),
  ),
  /** The settings that mattered. */
  settings: z.object({
    strictness: z.enum(['strict', 'fallback']),
    model: z.string().nullable(),
    /** The number of skills that could run. */
    skills: z.int(),
    corrected: z.boolean(),
  }),
});

export type AnswerTrace = z.output<typeof answerTraceSchema>;

export type TracedSentence = AnswerTrace['sentences'][number];

/**
 * Is told that a model is called. Returns the function that is told how the call ended, and of its tokens how many were those
 * of the request: 0 if the provider does not say.
 */
export type ObserveAttempt = (
  model: string,
) => (outcome: AttemptOutcome, tokens: number, inputTokens: number) => void;

/** Is told how a writer works. */
export interface WritingObserver {
  readonly attempt: ObserveAttempt;
  readonly sentence: (sentence: TracedSentence) => void;
}
