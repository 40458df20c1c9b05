import type { CorpusStatistics } from '../../knowledge/passage.ts';
import { type PassageUnit, passageUnits } from '../../knowledge/passage-units.ts';
import { type AnalysedQuestion, weighQuestion } from '../../knowledge/ranking/analyse-question.ts';
import { createWordMatcher } from '../../knowledge/ranking/match-words.ts';
import { passagePath, questionCoverage } from '../../knowledge/ranking/rank-candidates.ts';
import type { UsablePassage } from '../answer.ts';

interface Asked {
  readonly question: AnalysedQuestion;
  readonly statistics: CorpusStatistics;
}

/** Announces what follows, or asks: no answer by itself. */
const ANNOUNCES = /[:：?？]["'”»)*_]*$/u;
const ITEM_MARKER = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)])\s+/u;

/**
 * Returns the unit of a passage that answers, as the reader found it, or that is nearest to the question by its vector and
 * its words: as one line of Markdown without a list marker. Null if there is none, or if it is code. Pure.
 */
export function findLead(passage: UsablePassage, asked: Asked): string | null {
  const units = passageUnits(passage.body);
  const shares = passage.unitShares?.length === units.length ? passage.unitShares : null;
  const scores = shares ?? scoreUnits(passage, units, asked);
  const telling = units.flatMap((unit, index) => (ANNOUNCES.test(unit.text) ? [] : [index]));
  const best = telling.reduce<number | null>(
    (one, other) => (one === null || (scores[other] ?? 0) > (scores[one] ?? 0) ? other : one),
    null,
  );
  const unit = best === null ? undefined : units[best];
  return unit === undefined ? null : toLine(unit);
}

function scoreUnits(
  passage: UsablePassage,
  units: readonly PassageUnit[],
  { question, statistics }: Asked,
): readonly number[] {
  const weighed = weighQuestion(question, statistics);
  const match = createWordMatcher(weighed);
  const path = match(passagePath(passage));
  const cosines = passage.unitCosines?.length === units.length ? passage.unitCosines : null;
  return units.map(
    ({ words }, index) => (cosines?.[index] ?? 0) + questionCoverage(weighed, match(words), path),
  );
}

function toLine({ kind, text }: PassageUnit): string | null {
  return kind === 'code' ? null : text.replace(ITEM_MARKER, '').replace(/\s+/gu, ' ').trim();
}
