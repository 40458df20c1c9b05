import { joinPlaces, type Place } from '../contract/answer.ts';
import { STOP_WORDS } from '../language/stop-words.ts';
import type { Block, LoadedDocument } from './loaders/loader.ts';
import type { PassageSize } from './passage.ts';
import { BLOCK_SEPARATOR, splitBlock, type TextUnit, WHOLE_CODE_CHARACTERS } from './split-block.ts';

/** The unit of retrieval: one passage of one section, small enough for the embedding model to read whole. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** The headings above the passage, outermost first; without the document's title. */
  readonly headings: readonly string[];
  /** The passage as it is shown and quoted, in Markdown. */
  readonly body: string;
  /** Where it stands in the document; null if the format does not tell. */
  readonly place: Place | null;
}

/** Word pieces per passage. The model reads 254; the difference absorbs errors of the estimate. */
const MAX_PIECES = 240;
/** Word pieces reserved for the body, even under long headings. */
const MIN_BODY_PIECES = 120;
const MAX_CHARACTERS = 1000;

/**
 * Cuts a document into passages along its structure. No passage crosses a heading. Blocks that fit stay whole; longer
 * ones are cut at list items, table rows, lines or sentences. Code stays with the sentence before it. Passages do not
 * overlap and together hold the full text; only the header of a cut table, the key of a cut row and the fence of cut code are repeated.
 */
export function chunkDocument(document: LoadedDocument): readonly Chunk[] {
  const vocabulary = detectVocabulary(document.blocks.map((block) => block.text));
  const countPieces = (text: string): number => estimateWordPieces(text, vocabulary);
  return sections(document.blocks)
    .flatMap(({ headings, blocks }) => {
      const room = MAX_PIECES - countPieces([document.title ?? '', ...headings].join(' '));
      const size = { maxCharacters: MAX_CHARACTERS, maxPieces: Math.max(MIN_BODY_PIECES, room), countPieces };
      return packUnits(unitsOf(blocks, size), size).map((passage) => ({ headings, ...passage }));
    })
    .map((passage, ordinal) => ({ ordinal, ...passage }));
}

interface Section {
  readonly headings: readonly string[];
  readonly blocks: Block[];
}

/** Groups consecutive blocks that stand under the same headings. */
function sections(blocks: readonly Block[]): readonly Section[] {
  const found: Section[] = [];
  for (const block of blocks) {
    const section = found.at(-1);
    if (section !== undefined && isSamePath(section.headings, block.headings)) section.blocks.push(block);
    else found.push({ headings: block.headings, blocks: [block] });
  }
  return found;
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((heading, index) => heading === other[index]);
}

/** Splits blocks into units. Code is one unit with the sentence before it, a list with the line that introduces it. */
function unitsOf(blocks: readonly Block[], size: PassageSize): readonly TextUnit[] {
  const units: TextUnit[] = [];
  for (const block of blocks) {
    const [first, ...others] = splitBlock(block, size);
    const before = units.at(-1);
    if (first === undefined) continue;
    const isCode = block.kind === 'code' && others.length === 0;
    const isList = block.kind === 'list' && others.length === 0 && before?.leadsOn === true;
    const follows = before !== undefined && before.frame === undefined && (isCode || isList);
    const length = (before?.text.length ?? 0) + first.text.length;
    if (follows && !isFenced(before) && length <= WHOLE_CODE_CHARACTERS)
      units[units.length - 1] = joinWithNext(before, first);
    else units.push(first);
    units.push(...others);
  }
  return units;
}

function isFenced({ shown, text }: TextUnit): boolean {
  return (shown ?? text).endsWith('```');
}

function joinWithNext(before: TextUnit, next: TextUnit): TextUnit {
  return {
    ...before,
    text: before.text + next.separator + next.text,
    shown: (before.shown ?? before.text) + next.separator + (next.shown ?? next.text),
    leadsOn: next.leadsOn,
    place: joinPlaces(before.place, next.place),
  };
}

/** The built-in model's vocabulary is English: words of other languages split into more pieces. */
type Vocabulary = 'english' | 'foreign';

const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const TOKEN = new RegExp(
  `\\p{N}+|[${UNSPACED}]|(?:\\p{Script=Latin}|[\u0300-\u036f])+|(?:(?![${UNSPACED}]|\\p{Script=Latin})[\\p{L}\\p{M}])+|[^\\s\\p{L}\\p{M}\\p{N}]`,
  'gu',
);
const LATIN = /^\p{Script=Latin}/u;
const LETTER = /^\p{L}/u;
const DIGIT = /^\p{N}/u;
const WORD = /\p{L}+/gu;
const SAMPLE_CHARACTERS = 20_000;
const MIN_STOP_WORD_SHARE = 0.16;

/** Classifies by the share of English stop words in the first `SAMPLE_CHARACTERS`. */
function detectVocabulary(texts: Iterable<string>): Vocabulary {
  let sample = '';
  for (const text of texts) {
    sample += `${text.slice(0, SAMPLE_CHARACTERS)}\n`;
    if (sample.length >= SAMPLE_CHARACTERS) break;
  }
  const words = sample.toLowerCase().match(WORD) ?? [];
  const stopWords = words.filter((word) => STOP_WORDS.has(word)).length;
  return stopWords >= words.length * MIN_STOP_WORD_SHARE ? 'english' : 'foreign';
}

/**
 * Estimates the number of word pieces that the built-in model's tokeniser makes of a text, without loading the model.
 * The constants are fitted to that tokeniser and err slightly high. In scripts that the model cannot read, the value
 * only keeps passages about as long as in other languages.
 */
function estimateWordPieces(text: string, vocabulary: Vocabulary): number {
  let pieces = 0;
  for (const [token] of text.matchAll(TOKEN)) pieces += tokenPieces(token, vocabulary);
  return Math.ceil(pieces);
}

function tokenPieces(token: string, vocabulary: Vocabulary): number {
  const { length } = token;
  if (length <= 2) return 1;
  if (LATIN.test(token)) return vocabulary === 'english' ? englishPieces(length) : Math.max(1, length * 0.36);
  if (DIGIT.test(token)) return length <= 4 ? length * 0.4 : length * 0.55;
  return LETTER.test(token) ? length * 0.46 : 1;
}

/** Common words are one piece; strings longer than usual words (identifiers, joined names) split into many. */
function englishPieces(length: number): number {
  if (length <= 7) return 1.1;
  if (length <= 12) return 1.45;
  return length <= 16 ? length * 0.17 : length * 0.35;
}

/** Target size as a share of the limits: about 850 of 1,000 characters. */
const TARGET_FILL = 0.85;
/** Shorter passages are fragments: too little text to be found or quoted. */
const FRAGMENT_CHARACTERS = 200;
const FRAGMENT_FILL = 0.25;
const FRAGMENT_COST = 1;
/** Cost of a break between a unit and the text that it introduces. */
const LEADING_COST = 0.5;

interface Plan {
  readonly cost: number;
  /** Index of the first unit of the last passage. */
  readonly from: number;
}

/**
 * Joins the units of a section into passages by dynamic programming. The cheapest split has passages close to the
 * target size, no fragments, and breaks at natural places. A section smaller than a fragment stays a single passage.
 */
function packUnits(units: readonly TextUnit[], size: PassageSize): readonly Pick<Chunk, 'body' | 'place'>[] {
  const pieces = units.map((unit) => size.countPieces(unit.text));
  const plans: Plan[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= units.length; end += 1) plans.push(bestPlan(units, pieces, { end, plans, size }));
  const passages: Pick<Chunk, 'body' | 'place'>[] = [];
  for (let end = units.length; end > 0; ) {
    const from = plans[end]?.from ?? 0;
    const own = units.slice(from, end);
    const place = own.map((unit) => unit.place).reduce(joinPlaces, null);
    passages.push({ body: joinUnits(own), place });
    end = from;
  }
  return passages.reverse();
}

interface PackingState {
  /** Number of units to pack. */
  readonly end: number;
  /** Best plan for each smaller number of units, by index. */
  readonly plans: readonly Plan[];
  readonly size: PassageSize;
}

/** Tries every length of the last passage, from one unit up to the number that fits. */
function bestPlan(
  units: readonly TextUnit[],
  pieces: readonly number[],
  { end, plans, size }: PackingState,
): Plan {
  let best: Plan = { cost: Number.POSITIVE_INFINITY, from: end - 1 };
  let characters = 0;
  let pieceCount = 0;
  for (let from = end - 1; from >= 0; from -= 1) {
    const unit = units[from];
    const before = plans[from];
    if (unit === undefined || before === undefined) break;
    characters += unit.text.length;
    pieceCount += pieces[from] ?? 0;
    const fill = Math.max(characters / size.maxCharacters, pieceCount / size.maxPieces);
    if (fill > 1 && from < end - 1) break;
    const cost = before.cost + passageCost(fill, characters) + breakCost(units, from);
    if (cost < best.cost) best = { cost, from };
    characters += unit.separator.length;
  }
  return best;
}

function passageCost(fill: number, characters: number): number {
  const fragment = characters < FRAGMENT_CHARACTERS && fill < FRAGMENT_FILL;
  return (1 - fill / TARGET_FILL) ** 2 + (fragment ? FRAGMENT_COST : 0);
}

function breakCost(units: readonly TextUnit[], from: number): number {
  const previous = units[from - 1];
  if (previous === undefined) return 0;
  return (units[from]?.breakCost ?? 0) + (previous.leadsOn ? LEADING_COST : 0);
}

/** Joins units as they are shown. Consecutive units of one table or of one piece of code share its frame. */
function joinUnits(units: readonly TextUnit[]): string {
  let body = '';
  units.forEach((unit, index) => {
    const previous = units[index - 1];
    const opens = unit.frame !== undefined && unit.frame !== previous?.frame;
    // Without a blank line, the rows of the second table would belong to the first.
    const follows = opens && previous?.frame !== undefined ? BLOCK_SEPARATOR : unit.separator;
    const separator = previous === undefined ? '' : follows;
    const closing = units[index + 1]?.frame === unit.frame ? '' : (unit.frame?.close ?? '');
    body += separator + (opens ? unit.frame?.open : '') + (unit.shown ?? unit.text) + closing;
  });
  return body;
}
