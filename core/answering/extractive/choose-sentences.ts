import type { CorpusStatistics, RankedChunk } from '../../knowledge/passage.ts';
import type { TableRow } from '../../knowledge/passage-units.ts';
import { type AnalysedQuestion, weighQuestion } from '../../knowledge/ranking/analyse-question.ts';
import { readAnswerCue } from '../../knowledge/ranking/answer-cue.ts';
import { createWordMatcher } from '../../knowledge/ranking/match-words.ts';
import { correctSpelling } from '../../knowledge/ranking/spelling.ts';
import { searchRules } from '../../knowledge/rules.ts';
import { findLanguage } from '../../language/find-language.ts';
import { quoteRules } from '../rules.ts';
import { completeUnit, isInList, isWholeList, list } from './complete-unit.ts';
import {
  findPointedPassage,
  keyWords,
  pointsBelow,
  preferKeyWords,
  type ScoredPassage,
} from './key-words.ts';
import {
  askedColumns,
  passageShare,
  renderRows,
  type ScoredSentence,
  type SentenceScorer,
  scoreSentences,
} from './score-sentences.ts';

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

/** The roles of the units of a short section that is quoted whole. */
const SECTION_ROLES: ReadonlySet<string> = new Set(['statement', 'continuation', 'item', 'lead-in']);
const APART_ROLES: ReadonlySet<string> = new Set(['item', 'row', 'code']);

/**
 * Chooses one to three units of the best chunks that answer the question: sentences, whole lists, whole code with the
 * sentence before it, matching rows under their header. `ranked` is the result of `rankCandidates`, `message` what the
 * visitor wrote if the question was completed from the conversation.
 */
export function chooseSentences(
  question: AnalysedQuestion,
  ranked: readonly RankedChunk[],
  statistics: CorpusStatistics,
  message: string = question.text,
): ExtractiveAnswer {
  const weighed = correctSpelling(weighQuestion(question, statistics), ranked);
  const asked = question.text.toLowerCase();
  const match = createWordMatcher(weighed);
  const scorer = { question: weighed, match, cue: readAnswerCue(question.text), asked };
  const passages = joinCutLists(selectPassages(ranked, asked), ranked).map((passage) => ({
    passage,
    sentences: scoreSentences(passage, scorer),
  }));
  const keys = keyWords(question.text, message, question.language.code);
  const options = preferKeyWords(passages, keys).flatMap(listOptions);
  const best = options
    .filter(({ sentence, sentences }) => !isDangling(sentence, sentences))
    .toSorted((one, other) => other.sentence.score - one.sentence.score)[0];
  if (best === undefined) return { text: '', sentences: [] };
  const chosen = new Set<ScoredSentence>();
  for (const sentence of shortSection(best)) chosen.add(sentence);
  let quoted = chosen.size;
  for (const option of [best, ...compatibleOptions(best, options)]) {
    const room = quoteRules.characters - optionLength(chosen);
    if (chosen.has(option.sentence) || (quoted > 0 && option.sentence.text.length > room)) continue;
    const group = completeUnit(option.sentences, option.sentence.index, { room, isFirst: quoted === 0 });
    for (const index of group) {
      const sentence = option.sentences[index];
      if (sentence !== undefined) chosen.add(sentence);
    }
    if (group.length > 0) quoted += 1;
    if (quoted >= quoteRules.sentences) break;
  }
  const taken = options.filter(({ sentence }) => chosen.has(sentence));
  const pointed = taken.flatMap((option) => followPointer(option, { ranked, scorer, chosen }));
  for (const { sentence } of pointed) chosen.add(sentence);
  const complete = [...taken, ...pointed].filter((option) => !leadsNowhere(option, chosen));
  return joinSentences(complete, { scorer, language: question.language.code });
}

/** Returns the sentences and list items of a short section; none of any other passage. */
function shortSection({ passage, sentences }: Option): readonly ScoredSentence[] {
  const isShort = sentences.reduce((sum, { text }) => sum + text.length + 1, 0) <= quoteRules.characters;
  const isText = sentences.every(({ role }) => SECTION_ROLES.has(role));
  return passage.headings.length > 0 && isShort && isText ? sentences : [];
}

interface Answering {
  readonly ranked: readonly RankedChunk[];
  readonly scorer: SentenceScorer;
  readonly chosen: ReadonlySet<ScoredSentence>;
}

/** Returns what a unit with `as described below` points to: the list or the first sentences of a later passage. */
function followPointer({ passage, sentence }: Option, { ranked, scorer, chosen }: Answering): Option[] {
  const target = findPointedPassage(sentence, passage, ranked);
  if (target === null) return [];
  const options = listOptions({ passage: target, sentences: scoreSentences(target, scorer) });
  const units = options.map((option) => option.sentence);
  if (units.some((unit) => [...chosen].some(({ text }) => text === unit.text))) return [];
  const first = units.findIndex((unit) => unit.role === 'item');
  const members = first === -1 ? [0, 1] : list(units, first);
  return options.filter((_, index) => members.includes(index));
}

/**
 * Takes the best passages that answer by themselves, in the order of the ranking, changelogs and pointers further down. If
 * none does, takes the best of all.
 */
function selectPassages(ranked: readonly RankedChunk[], asked: string): readonly RankedChunk[] {
  const answering = ranked.filter(({ score }) => score >= searchRules.answerThreshold);
  const best = (answering.length > 0 ? answering : ranked).slice(0, quoteRules.passages).map((passage) => {
    return { passage, fused: passage.parts.fused * passageShare(passage, asked) };
  });
  return best.sort((one, other) => other.fused - one.fused).map(({ passage }) => passage);
}

const LIST_LINE = /^(?: {2,}\S| *(?:[-*+•]|\d{1,3}[.)]) )/u;

/** Adds the rest of a list that was cut between passages, if it is among the ranked passages. */
function joinCutLists(
  passages: readonly RankedChunk[],
  ranked: readonly RankedChunk[],
): readonly RankedChunk[] {
  const joined: RankedChunk[] = [];
  const used = new Set<string>();
  for (const passage of passages) {
    if (used.has(passage.chunkId)) continue;
    const before = continuations(passage, ranked, -1);
    const all = [...before.reverse(), passage, ...continuations(passage, ranked, 1)];
    for (const { chunkId } of all) used.add(chunkId);
    joined.push(all.length === 1 ? passage : joinPassages(passage, all));
  }
  return joined;
}

function joinPassages(passage: RankedChunk, all: readonly RankedChunk[]): RankedChunk {
  const cosines = all.map(({ unitCosines }) => unitCosines);
  const unitCosines = cosines.includes(null) ? null : cosines.flatMap((one) => one ?? []);
  return { ...passage, unitCosines, body: all.map(({ body }) => body).join('\n') };
}

/** Returns the passages after (or before) one that go on with its list, nearest first. */
function continuations(passage: RankedChunk, ranked: readonly RankedChunk[], step: 1 | -1): RankedChunk[] {
  const found: RankedChunk[] = [];
  for (let last = passage; found.length < quoteRules.continuations; ) {
    const next = ranked.find(
      (one) => one.documentId === last.documentId && one.ordinal === last.ordinal + step,
    );
    if (next === undefined || next.headings.join('\n') !== last.headings.join('\n')) break;
    const [first, second] = step === 1 ? [last, next] : [next, last];
    const end = first.body.slice(first.body.lastIndexOf('\n') + 1);
    if (!LIST_LINE.test(end) || !LIST_LINE.test(second.body)) break;
    found.push(next);
    last = next;
  }
  return found;
}

const COLON = /[:：]["'”»)]*$/u;

/** Whether the sentence announces what another passage contains. */
function isDangling({ text, index }: ScoredSentence, sentences: readonly ScoredSentence[]): boolean {
  return index === sentences.length - 1 && COLON.test(text);
}

function leadsNowhere({ sentence, sentences }: Option, chosen: ReadonlySet<ScoredSentence>): boolean {
  const next = sentences[sentence.index + 1];
  if (sentence.role !== 'row' && pointsBelow(sentence) && [...chosen].at(-1) === sentence && chosen.size > 1)
    return true;
  const isMarked = sentence.role !== 'code' && sentence.role !== 'row' && COLON.test(sentence.text);
  return isMarked && (next === undefined || !chosen.has(next));
}

function listOptions({ passage, sentences }: ScoredPassage): readonly Option[] {
  return sentences.map((sentence) => ({ passage, sentences, sentence }));
}

/**
 * Returns the sentences that may accompany the best one, best first. Excludes texts that may be about a different
 * subject.
 */
function compatibleOptions(best: Option, options: readonly Option[]): readonly Option[] {
  const valued = options.flatMap((option) => {
    if (option === best || isRowOfSameTable(option, best)) return [];
    const same = option.passage === best.passage;
    if (!same && !belongTogether(option.passage, best.passage)) return [];
    const next = same && option.sentence.index === best.sentence.index + 1;
    const items = [option, best].some(({ sentence }) => APART_ROLES.has(sentence.role));
    const value = option.sentence.score + (next && !items ? nextBonus(option) : 0);
    const least = best.sentence.score - (same && !items ? quoteRules.runningText : quoteRules.apart);
    return value < least || best.sentence.text.includes(option.sentence.text) ? [] : [{ option, value }];
  });
  return valued.sort((one, other) => other.value - one.value).map(({ option }) => option);
}

/** Rows that match as well as the best one have come along with it. */
function isRowOfSameTable({ sentence }: Option, best: Option): boolean {
  return sentence.row !== null && sentence.row.labels === best.sentence.row?.labels;
}

function nextBonus({ sentence }: Option): number {
  return sentence.role === 'continuation' ? quoteRules.next + quoteRules.continuation : quoteRules.next;
}

/** Whether two passages share a document or a title, and the other one also answers the question by itself. */
function belongTogether(other: RankedChunk, best: RankedChunk): boolean {
  if (other.score < searchRules.answerThreshold) return false;
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

interface Quoted {
  readonly passage: RankedChunk;
  readonly sentences: readonly ScoredSentence[];
  readonly sentence: ScoredSentence;
}

interface Wording {
  readonly scorer: SentenceScorer;
  /** ISO 639-1 code of the question's language. */
  readonly language: string;
}

/** Joins quoted units in document order, with the line ends of the document. Passages are separated by a blank line. */
function joinSentences(quoted: readonly Quoted[], wording: Wording): ExtractiveAnswer {
  const ordered = sortByDocument(quoted);
  let text = '';
  for (let index = 0; index < ordered.length; ) {
    const part = ordered[index];
    if (part === undefined) break;
    const rows = rowsFrom(ordered, index);
    const previous = ordered[index - 1];
    text += previous === undefined ? '' : separator(previous, part);
    text += rows.length === 0 ? part.sentence.text : renderRows(rows, askedColumns(rows, wording.scorer));
    index += Math.max(1, rows.length);
    text += omission(part, ordered, wording.language);
  }
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

function rowsFrom(ordered: readonly Quoted[], index: number): readonly TableRow[] {
  const rows: TableRow[] = [];
  for (const { sentence } of ordered.slice(index)) {
    if (sentence.row === null || (rows[0] !== undefined && sentence.row.labels !== rows[0].labels)) break;
    rows.push(sentence.row);
  }
  return rows;
}

/** Returns the white space of the document between two parts, with the indentation of list items. */
function separator(previous: Quoted, part: Quoted): string {
  if (previous.passage.chunkId !== part.passage.chunkId) return '\n\n';
  const { sentence, sentences } = part;
  const between = sentences
    .slice(previous.sentence.index + 1, sentence.index + 1)
    .map(({ before }) => before);
  const indent = isInList(sentence) && sentence.role !== 'code' ? ' '.repeat(sentence.indent) : '';
  if (between.some((space) => /\n[ \t]*\n/u.test(space))) return `\n\n${indent}`;
  return between.some((space) => space.includes('\n')) ? `\n${indent}` : ' ';
}

/** After the last quoted part of a list that is understood as a whole: says how many items are left out. */
function omission(
  { passage, sentence, sentences }: Quoted,
  ordered: readonly Quoted[],
  language: string,
): string {
  if (!isInList(sentence)) return '';
  const members = list(sentences, sentence.index);
  const quoted = new Set(
    ordered.flatMap((one) => (one.passage.chunkId === passage.chunkId ? [one.sentence.index] : [])),
  );
  const last = members.findLast((index) => quoted.has(index));
  if (last !== sentence.index || !isWholeList(sentences, members)) return '';
  const items = members.filter((index) => sentences[index]?.role === 'item' && sentences[index].indent === 0);
  const count = items.filter((index) => !quoted.has(index)).length;
  return count === 0 ? '' : `\n${findLanguage(language)?.texts?.listRest?.(count) ?? `… (+${count})`}`;
}
