import type { RankedChunk } from '../passage.ts';
import { type PassageUnit, passageUnits } from '../passage-units.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import { type AnswerCue, readAnswerCue } from './answer-cue.ts';
import { ANSWER_THRESHOLD } from './rank-candidates.ts';

/**
 * From this cosine on, a unit that holds the kind of thing that is asked for answers, whatever its words: `How long do
 * unused pods stay good?` and `Sealed pods keep for 18 months`. Of 235 questions that the development sets cannot answer, it
 * answers none; from .55 on, one.
 */
const NEAR_UNIT = 0.57;
/** The number of best passages that may answer in other words. */
const NEAR_PASSAGES = 5;

/** Raises the scores of the best passages that answer in other words than the question to `ANSWER_THRESHOLD`. */
export function raiseNearAnswers<Found extends RankedChunk>(
  { text, language }: Pick<AnalysedQuestion, 'text' | 'language'>,
  ranked: readonly Found[],
): readonly Found[] {
  if (language.class !== 'english' || ranked.some(({ score }) => score >= ANSWER_THRESHOLD)) return ranked;
  const cue = readAnswerCue(text);
  if (!cue.isTold) return ranked;
  return ranked.map((passage, place) =>
    place < NEAR_PASSAGES && hasNearAnswer(passage, cue) ? { ...passage, score: ANSWER_THRESHOLD } : passage,
  );
}

function hasNearAnswer({ body, unitCosines }: RankedChunk, cue: AnswerCue): boolean {
  const cosines = unitCosines ?? [];
  if (!cosines.some((cosine) => cosine >= NEAR_UNIT)) return false;
  const units = passageUnits(body);
  const isNear = ({ words }: PassageUnit, index: number) =>
    (cosines[index] ?? 0) >= NEAR_UNIT && cue.score(words.text) === 1;
  return units.length === cosines.length && units.some(isNear);
}
