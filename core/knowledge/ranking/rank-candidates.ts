import type { Candidate, CorpusStatistics, RankedChunk, ScoreParts } from '../passage.ts';
import type { LanguageClass } from '../text/language.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import { createWordMatcher } from './match-words.ts';
import { measureEvidence } from './passage-evidence.ts';
import { correctSpelling } from './spelling.ts';
import { type WeighedQuestion, weighQuestion } from './weigh-question.ts';

export type Confidence = 'high' | 'medium' | 'low';

/** From this score on the passage answers the question; below it the answer is the fallback message. */
export const ANSWER_THRESHOLD = 0.5;
/** From this score on a passage is shown as related even if it does not answer the question. */
export const RELATED_THRESHOLD = 0.2;
const HIGH_THRESHOLD = 0.8;

/** Returns the confidence of an answer from the score of its best passage (0 to 1). */
export function confidenceForScore(score: number): Confidence {
  if (score >= HIGH_THRESHOLD) return 'high';
  return score >= ANSWER_THRESHOLD ? 'medium' : 'low';
}

/**
 * Orders candidates by how well they answer the question, best first. The `score` of the first one decides whether the
 * question is answered at all (`confidenceForScore`).
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

/** Selects by the reading that matched the documents, which may differ from the question's own language. */
function selectCalibration({ language }: AnalysedQuestion, weighed: WeighedQuestion): Calibration {
  if (language.class === 'other') return CALIBRATION.other;
  return weighed.tokens === 'stems' ? CALIBRATION.english : CALIBRATION.latin;
}

function scoreWords(calibration: Calibration): Calibration {
  return calibration === CALIBRATION.english ? ENGLISH_LEXICAL_CALIBRATION : CALIBRATION.other;
}

/** Combines words and cosine like independent evidence (noisy-or): either can compensate for the other. */
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
 * Weights of the lexical evidence. All but BM25 count by their square: half a match is worth a quarter. Fitted weights
 * were no better than equal ones on texts outside the fit.
 */
const LEXICAL_WEIGHTS = { bm25: 0.25, coverage: 0.25, exact: 0.25, pairs: 0.25 } as const;

/** Cosines of unrelated texts are above 0: the power reduces the influence of small ones. */
const COSINE_POWER = 1.5;

interface Calibration {
  /** Maximum contribution of the cosine alone, 0 to 1. The built-in model reads English only. */
  readonly cosineTrust: number;
  /** The fused score at which half of the passages answer. */
  readonly threshold: number;
  /** Steepness of the logistic curve over the fused score. */
  readonly slope: number;
}

const CALIBRATION: Readonly<Record<LanguageClass, Calibration>> = {
  english: { cosineTrust: 0.8, threshold: 0.415, slope: 15 },
  latin: { cosineTrust: 0.15, threshold: 0.17, slope: 20 },
  other: { cosineTrust: 0, threshold: 0.16, slope: 18 },
};

/**
 * English without a vector of the question. Wrong answers stay about as rare as with a vector; between a sixth and a
 * half of the right answers are lost.
 */
const ENGLISH_LEXICAL_CALIBRATION: Calibration = { cosineTrust: 0, threshold: 0.26, slope: 15 };
