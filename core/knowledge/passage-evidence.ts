import type { Candidate } from './candidate.ts';

import { splitSentences } from './split-sentences.ts';
import type { WeighedQuestion } from './weighed-question.ts';
import type { WordMatch } from './word-matcher.ts';

/** What the words of a passage say for it, each from 0 to 1, words weighed by rarity. */
export interface PassageEvidence {
  /** Share of the question in the best sentence, title and headings counting with every sentence. */
  readonly coverage: number;
  /** Share of the question that the passage holds in the very same form. */
  readonly exact: number;
  /** Share of the question's neighbouring words that stand together in the passage. */
  readonly pairs: number;
}

/** Neighbours of the question may have so many words between them in the passage. */
const NEAR = 3;
const OUT_OF_ORDER = 0.7;

export function passageEvidence(
  question: WeighedQuestion,
  passage: Candidate,
  match: (text: string) => WordMatch,
): PassageEvidence {
  const path = match([passage.title ?? '', ...passage.headings].join(' . '));
  const sentences = splitSentences(passage.body).map(match);
  const coverage = Math.max(
    shareOf(question, path.strength),
    ...sentences.map((sentence) => coverageOf(question, sentence, path)),
  );
  const all = [path, ...sentences];
  const exact = question.words.map((_, index) => (all.some((match) => match.exact[index]) ? 1 : 0));
  return { coverage, exact: shareOf(question, exact), pairs: pairShare(question, all) ?? coverage };
}

/** Share of the question in one sentence under its title and headings, 0 to 1. */
export function coverageOf(question: WeighedQuestion, sentence: WordMatch, path: WordMatch): number {
  return shareOf(
    question,
    sentence.strength.map((strength, index) => Math.max(strength, path.strength[index] ?? 0)),
  );
}

function shareOf({ words, weight }: WeighedQuestion, strengths: readonly number[]): number {
  if (weight === 0) return 0;
  return words.reduce((sum, word, index) => sum + word.weight * (strengths[index] ?? 0), 0) / weight;
}

/** Null where the question has no two words that could stand together. */
function pairShare({ words }: WeighedQuestion, matches: readonly WordMatch[]): number | null {
  let held = 0;
  let total = 0;
  for (let index = 0; index + 1 < words.length; index += 1) {
    const weight = Math.min(words[index]?.weight ?? 0, words[index + 1]?.weight ?? 0);
    total += weight;
    held += weight * Math.max(...matches.map((match) => closeness(match, index)));
  }
  return total === 0 ? null : held / total;
}

function closeness({ position }: WordMatch, index: number): number {
  const one = position[index] ?? -1;
  const next = position[index + 1] ?? -1;
  if (one < 0 || next < 0) return 0;
  const distance = next - one;
  if (distance === 0 || distance === 1) return 1;
  return Math.abs(distance) <= NEAR ? OUT_OF_ORDER : 0;
}
