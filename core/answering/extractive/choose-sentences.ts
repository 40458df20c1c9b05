import type { CorpusStatistics, RankedChunk } from '../../knowledge/passage.ts';
import type { AnalysedQuestion } from '../../knowledge/ranking/analyse-question.ts';
import { weighQuestion } from '../../knowledge/ranking/analyse-question.ts';
import { createWordMatcher } from '../../knowledge/ranking/match-words.ts';
import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import { correctSpelling } from '../../knowledge/ranking/spelling.ts';
import {
  type ScoredSentence,
  type SentenceScorer,
  scoreAnswerCue,
  scoreSentences,
} from './score-sentences.ts';

/** A sentence of a source, word for word. */
interface ChosenSentence {
  readonly text: string;
  readonly chunkId: string;
  readonly documentId: string;
}

/** What the documents themselves say to the question. */
export interface ExtractiveAnswer {
  /** The sentences joined as they are to be shown; empty where none was found. */
  readonly text: string;
  /** In document order. */
  readonly sentences: readonly ChosenSentence[];
}

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
  const judge = { question: weighed, match: createWordMatcher(weighed), cue: scoreAnswerCue(question.text) };
  const options = ranked.slice(0, PASSAGES).flatMap((passage) => listOptions(passage, judge));
  const best = options.toSorted((one, other) => other.sentence.score - one.sentence.score)[0];
  if (best === undefined) return { text: '', sentences: [] };
  const chosen = new Set<ScoredSentence>();
  let quoted = 0;
  for (const option of [best, ...compatibleOptions(best, options)]) {
    const room = MOST_CHARACTERS - optionLength(chosen);
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

function listOptions(passage: RankedChunk, judge: SentenceScorer): readonly Option[] {
  const sentences = scoreSentences(passage, judge);
  return sentences.map((sentence) => ({ passage, sentences, sentence }));
}

/** What may stand beside the best sentence, best first: nothing from a text that is not known to be the same matter. */
function compatibleOptions(best: Option, options: readonly Option[]): readonly Option[] {
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

function optionLength(sentences: ReadonlySet<ScoredSentence>): number {
  let length = 0;
  for (const { text } of sentences) length += text.length + 1;
  return length;
}

/** A list is quoted up to so many points. */
const MOST_ITEMS = 10;

/**
 * The sentences of a passage that make the one at `index` stand alone, itself among them, in order: a list's lead-in
 * brings its points and a point its lead-in, a heading what is under it, a back reference what it refers to.
 * `room` is how many characters they may have; what does not fit is left out, the sentence itself never.
 */
function completeSentence(
  sentences: readonly ScoredSentence[],
  index: number,
  room: number,
): readonly number[] {
  const chosen = [index];
  let left = room - groupLength(sentences, index);
  for (const companion of companions(sentences, index)) {
    left -= groupLength(sentences, companion);
    if (left < 0) break;
    chosen.push(companion);
  }
  return chosen.sort((one, other) => one - other);
}

function companions(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  switch (sentences[index]?.role) {
    case 'lead-in':
      return following(sentences, index);
    case 'heading':
      return sentences[index + 1]?.role === 'lead-in'
        ? [index + 1, ...following(sentences, index + 1)]
        : [index + 1, index + 2].slice(0, Math.max(0, sentences.length - 1 - index));
    case 'item':
      return leadIn(sentences, index);
    case 'continuation':
      return index > 0 && sentences[index - 1]?.role !== 'heading' ? [index - 1] : [];
    default:
      return [];
  }
}

/** The points of the list that begins after `index`, or the one sentence that does. */
function following(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  const items: number[] = [];
  for (let at = index + 1; sentences[at]?.role === 'item' && items.length < MOST_ITEMS; at += 1)
    items.push(at);
  return items.length === 0 && index + 1 < sentences.length ? [index + 1] : items;
}

function leadIn(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  let at = index - 1;
  while (sentences[at]?.role === 'item') at -= 1;
  return sentences[at]?.role === 'lead-in' ? [at] : [];
}

function groupLength(sentences: readonly ScoredSentence[], index: number): number {
  return (sentences[index]?.text.length ?? 0) + 1;
}

interface Quoted {
  readonly passage: RankedChunk;
  readonly sentence: ScoredSentence;
}

/** Quoted sentences as one text, in the order of their documents; lists keep their lines, passages stand apart. */
function joinSentences(quoted: readonly Quoted[]): ExtractiveAnswer {
  const ordered = sortByDocument(quoted);
  let text = '';
  ordered.forEach((part, index) => {
    const previous = ordered[index - 1];
    text += (previous === undefined ? '' : separator(previous, part)) + part.sentence.text;
  });
  return {
    text,
    sentences: ordered.map(({ passage, sentence }) => ({
      text: sentence.text,
      chunkId: passage.chunkId,
      documentId: passage.documentId,
    })),
  };
}

/** Documents in the order in which they were found, their passages and sentences as they are read. */
function sortByDocument(quoted: readonly Quoted[]): readonly Quoted[] {
  const documents = [...new Set(quoted.map(({ passage }) => passage.documentId))];
  return quoted.toSorted(
    (one, other) =>
      documents.indexOf(one.passage.documentId) - documents.indexOf(other.passage.documentId) ||
      one.passage.ordinal - other.passage.ordinal ||
      one.sentence.index - other.sentence.index,
  );
}

function separator(previous: Quoted, part: Quoted): string {
  if (previous.passage.chunkId !== part.passage.chunkId) return '\n\n';
  const isLine = [previous, part].some(
    ({ sentence }) => sentence.role === 'item' || sentence.role === 'heading',
  );
  return isLine ? '\n' : ' ';
}
