import type { AnalysedQuestion } from './analysed-question.ts';
import type { Candidate } from './candidate.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import { correctSpelling } from './correct-spelling.ts';
import { passageEvidence } from './passage-evidence.ts';
import type { RankedChunk, ScoreParts } from './ranked-chunk.ts';
import {
  CALIBRATION,
  type Calibration,
  COSINE_POWER,
  ENGLISH_WORDS,
  LEXICAL_WEIGHTS,
} from './ranking-weights.ts';
import { type WeighedQuestion, weighQuestion } from './weighed-question.ts';
import { wordMatcher } from './word-matcher.ts';

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
  const calibration = calibrationOf(question, weighed);
  const match = wordMatcher(weighed);
  const rank = (candidate: Found): RankedChunk<Found> => {
    const evidence = passageEvidence(weighed, candidate, match);
    const bm25 = weighed.idealBm25 === 0 ? 0 : Math.min(1, candidate.bm25 / weighed.idealBm25);
    const found = { bm25, ...evidence, cosine: Math.max(0, candidate.cosine ?? 0) };
    const used = candidate.cosine === null ? ofWords(calibration) : calibration;
    const fused = fuse(found, used.cosineTrust);
    return { ...candidate, parts: { ...found, fused }, score: certainty(fused, used) };
  };
  return candidates.map(rank).sort((one, other) => other.score - one.score);
}

/** In which language the question was matched, which is not always the one that it is in. */
function calibrationOf({ language }: AnalysedQuestion, weighed: WeighedQuestion): Calibration {
  if (language.class === 'other') return CALIBRATION.other;
  return weighed.tokens === 'stems' ? CALIBRATION.english : CALIBRATION.latin;
}

function ofWords(calibration: Calibration): Calibration {
  return calibration === CALIBRATION.english ? ENGLISH_WORDS : CALIBRATION.other;
}

/** Words and meaning each make up for what the other lacks, as two witnesses of one thing do. */
function fuse(parts: Omit<ScoreParts, 'fused'>, trust: number): number {
  const lexical =
    LEXICAL_WEIGHTS.bm25 * parts.bm25 +
    LEXICAL_WEIGHTS.coverage * parts.coverage ** 2 +
    LEXICAL_WEIGHTS.exact * parts.exact ** 2 +
    LEXICAL_WEIGHTS.pairs * parts.pairs ** 2;
  return 1 - (1 - trust * parts.cosine ** COSINE_POWER) * (1 - lexical);
}

function certainty(fused: number, { slope, threshold }: Calibration): number {
  return 1 / (1 + Math.exp(slope * (threshold - fused)));
}
