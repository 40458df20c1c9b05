import type { Candidate, CorpusStatistics, RankedChunk, ScoreParts } from '../passage.ts';
import type { LanguageClass } from '../text/language.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import { createWordMatcher } from './match-words.ts';
import { measureEvidence } from './passage-evidence.ts';
import { correctSpelling } from './spelling.ts';
import { type WeighedQuestion, weighQuestion } from './weigh-question.ts';

export type Confidence = 'high' | 'medium' | 'low';

/** At this score and above the passage answers the question; below it the answer is the fallback. */
export const ANSWER_THRESHOLD = 0.5;
/** At this score and above a passage is worth showing as related, though it does not answer. */
export const RELATED_THRESHOLD = 0.2;
const HIGH_THRESHOLD = 0.8;

/** What the score of the best passage (0 to 1) says about the answer as a whole. */
export function confidenceForScore(score: number): Confidence {
  if (score >= HIGH_THRESHOLD) return 'high';
  return score >= ANSWER_THRESHOLD ? 'medium' : 'low';
}

/**
 * Orders candidates by how well they answer the question, best first. The first one's `score` decides whether there
 * is an answer at all (`confidence`).
 */
export function rankCandidates<Found extends Candidate>(
  question: AnalysedQuestion,
  candidates: readonly Found[],
  statistics: CorpusStatistics,
): readonly RankedChunk<Found>[] {
  const weighed = correctSpelling(weighQuestion(question, statistics), candidates);
  const calibration = selectCalibration(question, weighed);
  const match = createWordMatcher(weighed);
  const rank = (candidate: Found): RankedChunk<Found> => {
    const evidence = measureEvidence(weighed, candidate, match);
    const bm25 = weighed.idealBm25 === 0 ? 0 : Math.min(1, candidate.bm25 / weighed.idealBm25);
    const found = { bm25, ...evidence, cosine: Math.max(0, candidate.cosine ?? 0) };
    const used = candidate.cosine === null ? scoreWords(calibration) : calibration;
    const fused = fuseEvidence(found, used.cosineTrust);
    return { ...candidate, parts: { ...found, fused }, score: calibrateScore(fused, used) };
  };
  return candidates.map(rank).sort((one, other) => other.score - one.score);
}

/** In which language the question was matched, which is not always the one that it is in. */
function selectCalibration({ language }: AnalysedQuestion, weighed: WeighedQuestion): Calibration {
  if (language.class === 'other') return CALIBRATION.other;
  return weighed.tokens === 'stems' ? CALIBRATION.english : CALIBRATION.latin;
}

function scoreWords(calibration: Calibration): Calibration {
  return calibration === CALIBRATION.english ? ENGLISH_LEXICAL_CALIBRATION : CALIBRATION.other;
}

/** Words and meaning each make up for what the other lacks, as two witnesses of one thing do. */
function fuseEvidence(parts: Omit<ScoreParts, 'fused'>, trust: number): number {
  const lexical =
    LEXICAL_WEIGHTS.bm25 * parts.bm25 +
    LEXICAL_WEIGHTS.coverage * parts.coverage ** 2 +
    LEXICAL_WEIGHTS.exact * parts.exact ** 2 +
    LEXICAL_WEIGHTS.pairs * parts.pairs ** 2;
  return 1 - (1 - trust * parts.cosine ** COSINE_POWER) * (1 - lexical);
}

function calibrateScore(fused: number, { slope, threshold }: Calibration): number {
  return 1 / (1 + Math.exp(slope * (threshold - fused)));
}

/**
 * How much each piece of lexical evidence counts; all but BM25 by its square: half a match is worth a quarter. Fitted
 * weights did no better than equal ones on texts that they were not fitted on.
 */
const LEXICAL_WEIGHTS = { bm25: 0.25, coverage: 0.25, exact: 0.25, pairs: 0.25 } as const;

/** Cosines of unrelated texts are not 0: a small one says little. */
const COSINE_POWER = 1.5;

interface Calibration {
  /** How far a cosine alone can convince, 0 to 1. The built-in model reads English. */
  readonly cosineTrust: number;
  /** The fused score at which a passage answers as often as not. */
  readonly threshold: number;
  /** How fast certainty grows with the fused score. */
  readonly slope: number;
}

const CALIBRATION: Readonly<Record<LanguageClass, Calibration>> = {
  english: { cosineTrust: 0.8, threshold: 0.415, slope: 15 },
  latin: { cosineTrust: 0.15, threshold: 0.17, slope: 20 },
  other: { cosineTrust: 0, threshold: 0.16, slope: 18 },
};

/** English where no cosine is at hand: about as few wrong answers as with one, at the price of a sixth to a half of the right ones. */
const ENGLISH_LEXICAL_CALIBRATION: Calibration = { cosineTrust: 0, threshold: 0.26, slope: 15 };
