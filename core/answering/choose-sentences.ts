import type { AnalysedQuestion } from '../knowledge/analysed-question.ts';
import { ANSWER_THRESHOLD } from '../knowledge/confidence.ts';
import type { CorpusStatistics } from '../knowledge/corpus-statistics.ts';
import { correctSpelling } from '../knowledge/correct-spelling.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import { weighQuestion } from '../knowledge/weighed-question.ts';
import { wordMatcher } from '../knowledge/word-matcher.ts';
import { answerCue } from './answer-cue.ts';
import { completeSentence } from './complete-sentence.ts';
import type { ExtractiveAnswer } from './extractive-answer.ts';
import { joinSentences } from './join-sentences.ts';
import { type ScoredSentence, type SentenceJudge, scoreSentences } from './scored-sentence.ts';

/** A sentence that may be quoted, with where it stands. */
interface Option {
  readonly passage: RankedChunk;
  /** All of the passage. */
  readonly sentences: readonly ScoredSentence[];
  readonly sentence: ScoredSentence;
}

/** The answer is looked for in so many of the best passages. */
const PASSAGES = 3;
/** The best sentence, and so many more. */
const MOST_SENTENCES = 3;
const MOST_CHARACTERS = 420;
/**
 * A further sentence may be so much worse than the best one: where the text runs on from one to the other, and where
 * it does not (another passage, another point of the list).
 */
const RUNNING_TEXT = 0.5;
const APART = 0.15;
/** The sentence after the best one often goes on with the answer. */
const NEXT = 0.1;

/** The one to three sentences of the best chunks that answer the question; `ranked` as `rankCandidates` returns it. */
export function chooseSentences(
  question: AnalysedQuestion,
  ranked: readonly RankedChunk[],
  statistics: CorpusStatistics,
): ExtractiveAnswer {
  const weighed = correctSpelling(weighQuestion(question, statistics), ranked);
  const judge = { question: weighed, match: wordMatcher(weighed), cue: answerCue(question.text) };
  const options = ranked.slice(0, PASSAGES).flatMap((passage) => optionsOf(passage, judge));
  const best = options.toSorted((one, other) => other.sentence.score - one.sentence.score)[0];
  if (best === undefined) return { text: '', sentences: [] };
  const chosen = new Set<ScoredSentence>();
  let quoted = 0;
  for (const option of [best, ...companyOf(best, options)]) {
    const room = MOST_CHARACTERS - lengthOf(chosen);
    if (chosen.has(option.sentence) || (quoted > 0 && option.sentence.text.length > room)) continue;
    for (const index of completeSentence(option.sentences, option.sentence.index, room)) {
      const sentence = option.sentences[index];
      if (sentence !== undefined) chosen.add(sentence);
    }
    quoted += 1;
    if (quoted === MOST_SENTENCES) break;
  }
  return joinSentences(options.filter((option) => chosen.has(option.sentence)));
}

function optionsOf(passage: RankedChunk, judge: SentenceJudge): readonly Option[] {
  const sentences = scoreSentences(passage, judge);
  return sentences.map((sentence) => ({ passage, sentences, sentence }));
}

/** What may stand beside the best sentence, best first: nothing from a text that is not known to be the same matter. */
function companyOf(best: Option, options: readonly Option[]): readonly Option[] {
  const valued = options.flatMap((option) => {
    if (option === best) return [];
    const same = option.passage === best.passage;
    if (!same && !belongTogether(option.passage, best.passage)) return [];
    const next = same && option.sentence.index === best.sentence.index + 1;
    const items = option.sentence.role === 'item' || best.sentence.role === 'item';
    const value = option.sentence.score + (next && !items ? NEXT : 0);
    const least = best.sentence.score - (same && !items ? RUNNING_TEXT : APART);
    return value < least || best.sentence.text.includes(option.sentence.text) ? [] : [{ option, value }];
  });
  return valued.sort((one, other) => other.value - one.value).map(({ option }) => option);
}

/** Passages of one document, or of parts published under one title, when the other one answers by itself. */
function belongTogether(other: RankedChunk, best: RankedChunk): boolean {
  if (other.score < ANSWER_THRESHOLD) return false;
  return (
    other.documentId === best.documentId ||
    (best.title !== null && best.title !== '' && other.title === best.title)
  );
}

function lengthOf(sentences: ReadonlySet<ScoredSentence>): number {
  let length = 0;
  for (const { text } of sentences) length += text.length + 1;
  return length;
}
