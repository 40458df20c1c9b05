import { AppError } from '../../errors.ts';
import type { CorpusStatistics, RankedChunk } from '../../knowledge/passage.ts';
import { type AnalysedQuestion, weighQuestion } from '../../knowledge/ranking/analyse-question.ts';
import { createWordMatcher } from '../../knowledge/ranking/match-words.ts';
import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import { correctSpelling } from '../../knowledge/ranking/spelling.ts';
import type { SearchResult } from '../../knowledge/search.ts';
import { bestScore, selectSources, type UsablePassage } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import {
  type ScoredSentence,
  type SentenceScorer,
  scoreAnswerCue,
  scoreSentences,
} from './score-sentences.ts';

/**
 * Adds the sentences that answer the question to the draft, without links to foreign hosts. Adds nothing if none answers.
 */
export async function quotePassages(
  { question, statistics }: SearchResult,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const chosen = chooseSentences(question, usable, statistics);
  if (chosen.text === '') return;
  const quoted = new Set(chosen.sentences.map((sentence) => sentence.chunkId));
  draft.restOn({ sources: selectSources(usable, ({ chunkId }) => quoted.has(chunkId)) });
  const guard = new LinkGuard(sourceLinks(usable.map(({ url, body }) => ({ url, text: body }))));
  await draft.say(guard.push(chosen.text) + guard.end());
}

interface Failed {
  readonly question: Question;
  /** Null if nothing was searched. */
  readonly found: SearchResult | null;
  /** The error of the failed models. */
  readonly error: unknown;
}

/**
 * Answers with quotes from the documents after the models failed, if the request allows it for this error and the
 * documents contain an answer. Otherwise throws the error, because a fallback message would wrongly claim that nothing is
 * known.
 */
export async function extractiveFallback(
  { question, found, error }: Failed,
  draft: AnswerDraft,
): Promise<void> {
  const isAllowed = error instanceof AppError && question.quotesAt.includes(error.code);
  if (!isAllowed || found === null || bestScore(found) < ANSWER_THRESHOLD || !draft.isEmpty) throw error;
  await quotePassages(found, found.ranked.slice(0, question.topK), draft);
  if (draft.isEmpty) throw error;
}

/** A sentence of a source, unchanged. */
interface ChosenSentence {
  readonly text: string;
  readonly chunkId: string;
  readonly documentId: string;
}

/** An answer in the documents' own words. */
export interface ExtractiveAnswer {
  /** The sentences, joined for display; empty if none answers. */
  readonly text: string;
  /** In document order. */
  readonly sentences: readonly ChosenSentence[];
}

/** A sentence that may be quoted, with its position. */
interface Option {
  readonly passage: RankedChunk;
  /** All sentences of the passage. */
  readonly sentences: readonly ScoredSentence[];
  readonly sentence: ScoredSentence;
}

/** The number of best passages in which to look for the answer. */
const PASSAGES = 3;
/** The maximum number of quoted sentences. */
const MAX_SENTENCES = 3;
const MAX_CHARACTERS = 420;
/**
 * How much lower a further sentence may score than the best one: in the same running text, and elsewhere (another passage
 * or another list item).
 */
const RUNNING_TEXT = 0.5;
const APART = 0.15;
/** Bonus for the sentence after the best one, which often continues the answer. */
const NEXT = 0.1;

/**
 * Chooses one to three sentences of the best chunks that answer the question. `ranked` is the result of `rankCandidates`.
 */
export function chooseSentences(
  question: AnalysedQuestion,
  ranked: readonly RankedChunk[],
  statistics: CorpusStatistics,
): ExtractiveAnswer {
  const weighed = correctSpelling(weighQuestion(question, statistics), ranked);
  const scorer = { question: weighed, match: createWordMatcher(weighed), cue: scoreAnswerCue(question.text) };
  const options = ranked.slice(0, PASSAGES).flatMap((passage) => listOptions(passage, scorer));
  const best = options.toSorted((one, other) => other.sentence.score - one.sentence.score)[0];
  if (best === undefined) return { text: '', sentences: [] };
  const chosen = new Set<ScoredSentence>();
  let quoted = 0;
  for (const option of [best, ...compatibleOptions(best, options)]) {
    const room = MAX_CHARACTERS - optionLength(chosen);
    if (chosen.has(option.sentence) || (quoted > 0 && option.sentence.text.length > room)) continue;
    for (const index of completeSentence(option.sentences, option.sentence.index, room)) {
      const sentence = option.sentences[index];
      if (sentence !== undefined) chosen.add(sentence);
    }
    quoted += 1;
    if (quoted === MAX_SENTENCES) break;
  }
  return joinSentences(options.filter((option) => chosen.has(option.sentence)));
}

function listOptions(passage: RankedChunk, scorer: SentenceScorer): readonly Option[] {
  const sentences = scoreSentences(passage, scorer);
  return sentences.map((sentence) => ({ passage, sentences, sentence }));
}

/**
 * Returns the sentences that may accompany the best one, best first. Excludes texts that may be about a different
 * subject.
 */
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

/** Whether two passages share a document or a title, and the other one also answers the question by itself. */
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

/** The maximum number of list items to quote. */
const MAX_ITEMS = 10;

/**
 * Returns the sentences that the one at `index` needs to be understood, including itself, in order: a list's lead-in
 * needs its items, an item its lead-in, a heading the text below it, a continuation the sentence before it. `room` is
 * their maximum length in characters. Sentences beyond it are left out, except the one at `index`.
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

/** Returns the items of the list that starts after `index`, or else the next sentence. */
function following(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  const items: number[] = [];
  for (let at = index + 1; sentences[at]?.role === 'item' && items.length < MAX_ITEMS; at += 1)
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

/** Joins quoted sentences in document order. List items keep their lines; passages are separated by a blank line. */
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

/** Sorts documents in the order of the ranking, and their passages and sentences in reading order. */
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
