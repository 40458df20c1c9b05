import type { AnalysedQuestion } from './analysed-question.ts';
import type { Candidate } from './candidate.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import { correctSpelling } from './correct-spelling.ts';
import { wordMatcher } from './word-matcher.ts';
import { type PassageEvidence, passageEvidence } from './passage-evidence.ts';
import type { RankedChunk, ScoreParts } from './ranked-chunk.ts';
import { type WeighedQuestion, weighQuestion } from './weighed-question.ts';
import { CALIBRATION, LEXICAL_WEIGHTS } from './ranking-weights.ts';
import type { LanguageClass } from './language.ts';

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
  const match = wordMatcher(weighed);
  const language = weightClass(question, weighed);
  const { slope, threshold } = CALIBRATION[language];
  return candidates
    .map((candidate) => {
      const evidence = passageEvidence(weighed, candidate, match);
      const parts = scoreParts(weighed, candidate, evidence, language);
      return { ...candidate, parts, score: 1 / (1 + Math.exp(slope * (threshold - parts.fused))) };
    })
    .sort((one, other) => other.parts.fused - one.parts.fused);
}

function weightClass(question: AnalysedQuestion, weighed: WeighedQuestion): LanguageClass {
  if (question.language.class === 'other') return 'other';
  return weighed.tokens === 'stems' ? 'english' : 'latin';
}

function scoreParts(question: WeighedQuestion, candidate: Candidate, evidence:PassageEvidence,language: LanguageClass): ScoreParts {
  const bm25 = question.idealBm25 === 0 ? 0 : Math.min(1, candidate.bm25 / question.idealBm25);
  const cosine = Math.max(0, candidate.cosine ?? 0);
  const lexical =
    LEXICAL_WEIGHTS.bm25 * bm25 ** 2 +
    LEXICAL_WEIGHTS.coverage * evidence.coverage ** 2 +
    LEXICAL_WEIGHTS.exact * evidence.exact ** 2 +
    LEXICAL_WEIGHTS.pairs * evidence.pairs ** 2;
  const share = candidate.cosine===null?0:CALIBRATION[language].cosine;
  const fused = share * cosine + (1 - share) * lexical;
  return { bm25, cosine, ...evidence, fused };
}
