import { coverageOf } from '../knowledge/passage-evidence.ts';
import { pathOf, sentencesOf } from '../knowledge/passage-words.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import type { WeighedQuestion } from '../knowledge/weighed-question.ts';
import type { WordMatch } from '../knowledge/word-match.ts';
import type { WordRun } from '../knowledge/word-run.ts';
import { type SentenceRole, sentenceRole } from './sentence-role.ts';

/** A sentence of a passage as a part of an answer. */
export interface ScoredSentence {
  readonly text: string;
  /** Position in its passage, from 0. */
  readonly index: number;
  readonly role: SentenceRole;
  /** How well it answers; comparable across passages. */
  readonly score: number;
}

export interface SentenceJudge {
  readonly question: WeighedQuestion;
  readonly match: (run: WordRun) => WordMatch;
  /** How well a sentence has the kind of thing that is asked for, 0 to 1. */
  readonly cue: (sentence: string) => number;
}

/** Beside the share of the question that a sentence holds, which counts 1. */
const EXACT = 0.1;
const PASSAGE = 0.55;
const CUE = 0.25;
/** What is longer than an answer should be is chosen when there is nothing as good. */
const LONG = 400;
const TOO_LONG = 0.2;
/** Something that only announces an answer is chosen when there is nothing else. */
const ANNOUNCES = 0.5;

export function scoreSentences(passage: RankedChunk, judge: SentenceJudge): readonly ScoredSentence[] {
  const path = judge.match(pathOf(passage));
  const sentences = sentencesOf(passage);
  let above = path;
  return sentences.map((sentence, index) => {
    const { text } = sentence;
    const role = sentenceRole(text, index === sentences.length - 1);
    const own = judge.match(sentence);
    const evidence = coverageOf(judge.question, own, above) + EXACT * exactShare(judge.question, own);
    const drawback = (role === 'heading' ? ANNOUNCES : 0) + (text.length > LONG ? TOO_LONG : 0);
    const score = evidence + PASSAGE * passage.parts.fused + CUE * judge.cue(text) - drawback;
    if (role === 'heading' || role === 'lead-in') above = either(path, own);
    return { text, index, role, score };
  });
}

function exactShare({ words, weight }: WeighedQuestion, { exact }: WordMatch): number {
  if (weight === 0) return 0;
  return words.reduce((sum, word, index) => sum + (exact[index] ? word.weight : 0), 0) / weight;
}

/** What a heading or a list's lead-in says counts for all that follows it, as the passage's own title does. */
function either(one: WordMatch, other: WordMatch): WordMatch {
  return {
    ...one,
    strength: one.strength.map((strength, index) => Math.max(strength, other.strength[index] ?? 0)),
  };
}
