import type { Candidate } from './candidate.ts';
import { pathOf, sentencesOf } from './passage-words.ts';
import type { WeighedQuestion } from './weighed-question.ts';
import type { WordMatch } from './word-match.ts';
import type { WordRun } from './word-run.ts';

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
  match: (run: WordRun) => WordMatch,
): PassageEvidence {
  const path = match(pathOf(passage));
  const sentences = sentencesOf(passage).map(match);
  let coverage = coverageOf(question, path, path);
  for (const sentence of sentences) coverage = Math.max(coverage, coverageOf(question, sentence, path));
  const all = [path, ...sentences];
  return { coverage, exact: exactShare(question, all), pairs: pairShare(question, all) ?? coverage };
}

/** Share of the question in one sentence under its title and headings, 0 to 1. */
export function coverageOf({ words, weight }: WeighedQuestion, sentence: WordMatch, path: WordMatch): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    sum += word.weight * Math.max(sentence.strength[index] ?? 0, path.strength[index] ?? 0);
  }
  return sum / weight;
}

function exactShare({ words, weight }: WeighedQuestion, matches: readonly WordMatch[]): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    if (matches.some((match) => match.exact[index])) sum += word.weight;
  }
  return sum / weight;
}

/** Null where the question has no two words that could stand together. */
function pairShare({ words }: WeighedQuestion, matches: readonly WordMatch[]): number | null {
  let held = 0;
  let total = 0;
  for (let index = 0; index + 1 < words.length; index += 1) {
    const weight = Math.min(words[index]?.weight ?? 0, words[index + 1]?.weight ?? 0);
    let closest = 0;
    for (const match of matches) closest = Math.max(closest, closeness(match, index));
    total += weight;
    held += weight * closest;
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
