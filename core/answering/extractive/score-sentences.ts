import { type RankedChunk, type Row, rowLine, tableFrame, tableRow } from '../../knowledge/passage.ts';
import { type PassageUnit, passageUnits, type TableRow } from '../../knowledge/passage-units.ts';
import type { WeighedQuestion } from '../../knowledge/ranking/analyse-question.ts';
import type { AnswerCue } from '../../knowledge/ranking/answer-cue.ts';
import { toWordSequences, type WordMatch, type WordSequence } from '../../knowledge/ranking/match-words.ts';
import { passagePath, questionCoverage } from '../../knowledge/ranking/rank-candidates.ts';
import { joinAlternatives, wholeWords } from '../../language/find-language.ts';
import { splitFoldedWords, stemWord } from '../../language/tokens.ts';
import { quoteRules } from '../rules.ts';

/** A unit of a passage as a candidate for an answer. */
export interface ScoredSentence extends Pick<PassageUnit, 'text' | 'before' | 'row'> {
  /** The number of spaces before it, if it starts a line. */
  readonly indent: number;
  /** The position in its passage, from 0. */
  readonly index: number;
  readonly role: SentenceRole;
  /** How well the sentence answers; comparable across passages. */
  readonly score: number;
}

export interface SentenceScorer {
  readonly question: WeighedQuestion;
  readonly match: (run: WordSequence) => WordMatch;
  readonly cue: AnswerCue;
  /** The question in lower case. */
  readonly asked: string;
}

const ASKS_MEASURE = new RegExp(
  `^\\W*(?:${joinAlternatives(({ grammar }) => grammar?.quoteCues?.measure)})`,
  'iu',
);
const ASKS_PRICE = wholeWords(({ grammar }) => grammar?.quoteCues?.price);
const PRICE_LABEL = wholeWords(({ grammar }) => grammar?.quoteCues?.priceLabels);

export function scoreSentences(passage: RankedChunk, scorer: SentenceScorer): readonly ScoredSentence[] {
  const path = scorer.match(passagePath(passage));
  const units = withoutAlternatives(withCosines(passage), scorer.asked);
  const share = passageShare(passage, scorer.asked);
  let above = path;
  return units.map(({ kind, text, words, before, row, cosine }, index) => {
    const role = kind === 'sentence' ? classifySentence(text, index === units.length - 1) : kind;
    const own = scorer.match(words);
    const evidence =
      questionCoverage(scorer.question, own, above) + quoteRules.exact * exactShare(scorer.question, own);
    const drawback =
      (role === 'heading' ? quoteRules.heading : 0) +
      (text.length > quoteRules.longCharacters && role !== 'code' ? quoteRules.long : 0) -
      rowBonus(row, scorer) +
      (role === 'item' && STEP.test(text) && ASKS_MEASURE.test(scorer.asked) ? quoteRules.step : 0);
    const score =
      share *
      (evidence +
        quoteRules.passage * passage.parts.fused +
        quoteRules.meaning * cosine +
        quoteRules.cue * scorer.cue.score(words.text) -
        drawback);
    if (role === 'heading' || role === 'lead-in') above = either(path, own);
    const indent = before.includes('\n') ? before.length - before.lastIndexOf('\n') - 1 : 0;
    return { text, index, role, score, before, indent: kind === 'code' ? codeIndent(text) : indent, row };
  });
}

interface ComparedUnit extends PassageUnit {
  /** Cosine of the question and the unit with its document's title; 0 if unknown. */
  readonly cosine: number;
}

function withCosines({ body, unitCosines }: RankedChunk): readonly ComparedUnit[] {
  const units = passageUnits(body);
  // Another number of vectors than of units: the passage was embedded by a version that split it differently.
  const cosines = unitCosines?.length === units.length ? unitCosines : null;
  return units.map((unit, index) => ({ ...unit, cosine: cosines?.[index] ?? 0 }));
}

const STEP = /^\s*\d{1,3}[.)]\s/u;

function rowBonus(row: TableRow | null, scorer: SentenceScorer): number {
  if (row === null || scorer.cue.score(rowLine(row.labels, row.cells)) === 0 || !isNamedRow(row, scorer))
    return 0;
  const isPriced = ASKS_PRICE.test(scorer.asked) && row.labels.some((label) => PRICE_LABEL.test(label));
  return isPriced ? 2 * quoteRules.rowKey : quoteRules.rowKey;
}

/** Whether every word of a row's first cell is in the question. */
function isNamedRow({ cells }: TableRow, { asked }: SentenceScorer): boolean {
  const words = splitFoldedWords(cells[0] ?? '', 'stems').flatMap(stemWord);
  const spoken = new Set(splitFoldedWords(asked, 'stems').flatMap(stemWord));
  return words.length > 0 && words.every((word) => spoken.has(word));
}

function codeIndent(text: string): number {
  return text.length - text.trimStart().length;
}

/** Titled pieces of code in direct succession show one example in several forms: keeps the one asked for, or the first. */
function withoutAlternatives(units: readonly ComparedUnit[], asked: string): readonly ComparedUnit[] {
  const kept: ComparedUnit[] = [];
  let group: ComparedUnit[] = [];
  const close = (): void => {
    const [best] = group.toSorted(
      (one, other) => namedWords(other, group, asked) - namedWords(one, group, asked),
    );
    if (best !== undefined) kept.push(best);
    group = [];
  };
  for (const unit of units) {
    if (unit.title === '') {
      close();
      kept.push(unit);
    } else group.push(unit);
  }
  close();
  return kept;
}

const MIN_NAME_CHARACTERS = 3;

/** Counts the words of a title that the question holds and that set it apart from the other titles. */
function namedWords({ title }: PassageUnit, group: readonly PassageUnit[], asked: string): number {
  const words = title.toLowerCase().match(/[\p{L}\p{N}.+#]+/gu) ?? [];
  return words.filter(
    (word) =>
      word.length >= MIN_NAME_CHARACTERS &&
      asked.includes(word) &&
      !group.every((one) => one.title.toLowerCase().includes(word)),
  ).length;
}

const CHANGELOG = wholeWords(({ grammar }) => grammar?.quoteCues?.changelog);
const ASKS_FOR_CHANGE = new RegExp(
  `\\b(?:${joinAlternatives(({ grammar }) => grammar?.quoteCues?.change)}|v?\\d+\\.\\d+)\\b`,
  'iu',
);
const POINTERS = new RegExp(
  `^(?:${joinAlternatives(({ grammar }) => grammar?.quoteCues?.otherPages)})\\W{0,3}$`,
  'iu',
);

/** Returns the share with which a passage counts: changelogs and pointers to other pages rarely answer. */
export function passageShare(
  { title, headings }: Pick<RankedChunk, 'title' | 'headings'>,
  asked: string,
): number {
  if (POINTERS.test(headings.at(-1) ?? '')) return quoteRules.pointers;
  const isChangelog = [title ?? '', ...headings].some((heading) => CHANGELOG.test(heading));
  return isChangelog && !ASKS_FOR_CHANGE.test(asked) ? quoteRules.changelog : 1;
}

function exactShare({ words, weight }: WeighedQuestion, { exact }: WordMatch): number {
  if (weight === 0) return 0;
  return words.reduce((sum, word, index) => sum + (exact[index] ? word.weight : 0), 0) / weight;
}

/** Combines two matches: the words of a heading or lead-in count for everything below it, like the passage's title. */
function either(one: WordMatch, other: WordMatch): WordMatch {
  return {
    ...one,
    strength: one.strength.map((strength, index) => Math.max(strength, other.strength[index] ?? 0)),
  };
}

/** The context that a sentence needs to be understood. */
type SentenceRole =
  /** Complete by itself. */
  | 'statement'
  /** A question, a topic, or an announcement of another passage's content: no answer by itself. */
  | 'heading'
  /** Introduces a list: `You need:`. */
  | 'lead-in'
  | 'item'
  /** A table row. */
  | 'row'
  | 'code'
  /** Starts with a word that refers to the previous sentence. */
  | 'continuation';

const ITEM = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/u;
const ROW = /^[^:;.!?]{1,60}: [^;]+; [^:;.!?]{1,60}: /u;
const LEAD_IN = /[:：]["'”»)]*$/u;
const QUESTION = /(?:[?？؟]|\p{Script=Greek}[;\u037e])["'”»)]*$/u;
/** Scripts whose sentences end with a mark, so that a line without one is not a sentence. */
const MARKED_SCRIPT = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const END = /$(?<=[.!…。！।][^\p{L}\p{N}]*)/u;
const CONTINUATION = new RegExp(
  `^["'“(]?(?:(?:${joinAlternatives(({ grammar }) => grammar?.quoteCues?.continuations)})(?!\\p{L}))`,
  'iu',
);

/** Classifies a sentence. `last` means that nothing follows it in the passage. */
export function classifySentence(sentence: string, last: boolean): SentenceRole {
  if (ITEM.test(sentence)) return 'item';
  if (ROW.test(sentence)) return 'row';
  if (LEAD_IN.test(sentence)) return last ? 'heading' : 'lead-in';
  if (!last && (QUESTION.test(sentence) || isTopic(sentence))) return 'heading';
  return CONTINUATION.test(sentence) ? 'continuation' : 'statement';
}

function isTopic(sentence: string): boolean {
  if (!MARKED_SCRIPT.test(sentence) || END.test(sentence) || /[\p{N}:;,]/u.test(sentence)) return false;
  return sentence.split(/\s+/u).length <= quoteRules.topicWords;
}

/**
 * Returns the columns that are asked for: the question names the label with a word that stands in no cell, and no word of
 * it stands in the column.
 */
export function askedColumns(
  rows: readonly TableRow[],
  { match }: { readonly match: (run: WordSequence) => WordMatch },
): readonly number[] {
  const named = (text: string): readonly number[] =>
    toWordSequences([text]).flatMap((words) =>
      match(words).strength.flatMap((strength, word) => (strength >= quoteRules.labelMatch ? [word] : [])),
    );
  const inCells = new Set(rows.flatMap(({ cells }) => cells.flatMap(named)));
  const labels = rows[0]?.labels ?? [];
  return labels.flatMap((label, column) => {
    const isAsked = named(label).some((word) => !inCells.has(word));
    return isAsked && !rows.some(({ cells }) => named(cells[column] ?? '').length > 0) ? [column] : [];
  });
}

/** Renders rows of one table as a Markdown table, with the columns that are asked for first. */
export function renderRows(rows: readonly TableRow[], asked: readonly number[]): string {
  const width = Math.max(...rows.map(({ labels, cells }) => Math.max(labels.length, cells.length)));
  const others = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !asked.includes(column),
  );
  const arrange = (cells: Row): Row => [...asked, ...others].map((column) => cells[column] ?? '');
  const { open } = tableFrame(arrange(rows[0]?.labels ?? []), width);
  return open + rows.map(({ cells }) => tableRow(arrange(cells))).join('\n');
}
