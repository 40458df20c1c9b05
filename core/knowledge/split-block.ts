import { joinPlaces, type Place } from '../contract/answer.ts';
import type { Block } from './loaders/loader.ts';
import { codeFrame, type Frame, type PassageSize, rowLine, tableFrame, tableRow } from './passage.ts';
import { keyColumns, sliceLine, sliceRow } from './wide-rows.ts';

/** A part of a block's text. */
interface TextPart {
  /** The plain form, by which the size counts. */
  readonly text: string;
  /** The text as it is shown; equal to `text` if absent. */
  readonly shown?: string;
  /** Encloses consecutive parts of a block in the passage. */
  readonly frame?: Frame;
  /** The white space before the part in the source, restored if another part precedes it in the passage. */
  readonly separator: string;
  /** Cost of starting a passage here; 0 between blocks. */
  readonly breakCost: number;
  /** Absent: that of the block. */
  readonly place?: Place | null;
}

/** A part that is never cut. */
export interface TextUnit extends TextPart {
  /** True if the text introduces the next unit and makes little sense without it. */
  readonly leadsOn: boolean;
  readonly place: Place | null;
}

function fitsPassage(text: string, { maxCharacters, maxPieces, countPieces }: PassageSize): boolean {
  return text.length <= maxCharacters && countPieces(text) <= maxPieces;
}

/** Blocks up to this length stay whole in any passage. */
const WHOLE_CHARACTERS = 300;
/** In blocks with more than `MANY_PARTS` parts, neighbours of together at most `TINY_CHARACTERS` are joined. */
const MANY_PARTS = 2000;
const TINY_CHARACTERS = 40;
/** A list, and code with the sentence before it, stay whole up to these lengths, even if they exceed a passage. */
const WHOLE_LIST_CHARACTERS = 1200;
export const WHOLE_CODE_CHARACTERS = 1500;
/** The cost added to every break inside a block that would fit whole. */
const NEEDLESS_BREAK = 0.5;
const COST = { blankLine: 0.05, item: 0.1, row: 0.1, line: 0.2, innerItem: 0.25, sentence: 0.3 } as const;
export const BLOCK_SEPARATOR = '\n\n';

const PSEUDO_HEADING_CHARACTERS = 60;

const sentenceSegmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Cuts a block into units between which a passage may break, each small enough for a passage. */
export function splitBlock(block: Block, size: PassageSize): readonly TextUnit[] {
  const fitting = fitsPassage(block.text, size);
  const extra = fitting ? NEEDLESS_BREAK : 0;
  return blockParts(block, size).map((part, index) => ({
    ...part,
    separator: index === 0 ? BLOCK_SEPARATOR : part.separator,
    breakCost: index === 0 ? 0 : part.breakCost + extra,
    leadsOn: introducesNext(block.kind, part.text),
    place: part.place ?? block.place ?? null,
  }));
}

function blockParts(block: Block, size: PassageSize): readonly TextPart[] {
  const whole = { text: block.text, separator: BLOCK_SEPARATOR, breakCost: 0 };
  if (block.kind === 'code') return codeParts(block, whole, size);
  if (block.table !== undefined) return tableParts(block, block.table, size);
  const limit = block.kind === 'list' ? WHOLE_LIST_CHARACTERS : WHOLE_CHARACTERS;
  const isWhole = block.text.length <= limit && (block.kind === 'list' || fitsPassage(block.text, size));
  return isWhole ? [whole] : splitParts(block, whole, size);
}

function splitParts(block: Block, whole: TextPart, size: PassageSize): readonly TextPart[] {
  const lines = block.kind === 'paragraph' ? splitSentences(whole) : splitLines(block);
  const parts = lines.flatMap((line, index) =>
    block.kind === 'table'
      ? splitRow({ ...line, place: placeOfRow(block, index) }, size)
      : splitLongLine(line),
  );
  return mergeTinyUnits(parts).flatMap((part) => splitLongPart(part, size));
}

/** Code too long for one fence is cut, each part in a fence of its own. */
function codeParts(block: Block, whole: TextPart, size: PassageSize): readonly TextPart[] {
  const frame = codeFrame(block.text, block.code ?? { language: '', title: '' });
  if (block.text.length > WHOLE_CODE_CHARACTERS)
    return splitParts(block, whole, size).map((part) => ({ ...part, frame }));
  const title = block.code?.title ?? '';
  return [
    {
      ...whole,
      text: title === '' ? block.text : `${title}:\n${block.text}`,
      shown: frame.open + block.text + frame.close,
    },
  ];
}

function tableParts(
  block: Block,
  { labels, rows }: NonNullable<Block['table']>,
  size: PassageSize,
): readonly TextPart[] {
  const frame = tableFrame(labels, Math.max(0, ...rows.map((row) => row.length)));
  const room = { ...size, maxCharacters: size.maxCharacters - frame.open.length };
  const keys = keyColumns(labels, rows);
  const parts = rows.flatMap((row, index): readonly TextPart[] => {
    const text = rowLine(labels, row);
    const place = placeOfRow(block, index);
    if (fitsPassage(text, room)) return [{ text, shown: tableRow(row), frame, place, ...ROW }];
    return sliceRow({ labels, row, keys }, size).map((slice) => ({
      text: rowLine(slice.labels, slice.row),
      shown: tableRow(slice.row),
      frame: tableFrame(slice.labels, slice.row.length),
      place,
      ...ROW,
    }));
  });
  return mergeTinyUnits(parts);
}

function placeOfRow({ place, rowNumbers = [] }: Block, index: number): Place | null {
  const number = rowNumbers[index];
  if (place === undefined) return null;
  return number === undefined ? place : { ...place, from: number, to: number };
}

const ROW = { separator: '\n', breakCost: COST.row } as const;

/** True for text ending in a colon or question mark, and for short lines without end punctuation (bold headings). */
function introducesNext(kind: Block['kind'], text: string): boolean {
  if (/$(?<=[:?：？]\W*)/u.test(text)) return true;
  return (
    kind === 'paragraph' && text.length <= PSEUDO_HEADING_CHARACTERS && !/$(?<=[.!。！؟।;,|]\W*)/u.test(text)
  );
}

/** Bounds the cost of packing, which tries every split of a section, for sections of very many short lines. */
function mergeTinyUnits(parts: readonly TextPart[]): readonly TextPart[] {
  if (parts.length <= MANY_PARTS) return parts;
  const joined: TextPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const length = (last?.text.length ?? 0) + part.text.length;
    if (last === undefined || last.frame !== part.frame || length > TINY_CHARACTERS) joined.push(part);
    else joined[joined.length - 1] = joinParts(last, part);
  }
  return joined;
}

function joinParts(one: TextPart, next: TextPart): TextPart {
  const text = one.text + next.separator + next.text;
  const place = joinPlaces(one.place ?? null, next.place ?? null);
  if (one.shown === undefined && next.shown === undefined) return { ...one, text, place };
  return { ...one, text, place, shown: (one.shown ?? one.text) + next.separator + (next.shown ?? next.text) };
}

/** Code in a list item belongs to the line before it. */
function splitLines(block: Block): readonly TextPart[] {
  const parts: TextPart[] = [];
  let separator = '';
  let fence: string | null = null;
  for (const line of block.text.split('\n')) {
    const mark = block.kind === 'list' ? /^ *(`{3,})/.exec(line)?.[1] : undefined;
    const last = parts.at(-1);
    if (last !== undefined && (fence !== null || mark !== undefined)) {
      parts[parts.length - 1] = { ...last, text: `${last.text}${separator}${line}` };
      separator = '';
      if (fence === null) fence = mark ?? null;
      else if (mark === fence) fence = null;
    } else if (line.trim() !== '') {
      parts.push({ text: line, separator, breakCost: lineCost(block.kind, line, separator) });
      separator = '';
    }
    separator += '\n';
  }
  return parts;
}

function lineCost(kind: Block['kind'], line: string, separator: string): number {
  if (kind === 'table') return COST.row;
  if (kind === 'code') return separator.length > 1 ? COST.blankLine : COST.line;
  return /^\s/.test(line) ? COST.innerItem : COST.item;
}

/** Each part of a row without labels begins with the row's first value. */
function splitRow(part: TextPart, size: PassageSize): readonly TextPart[] {
  if (fitsPassage(part.text, size)) return [part];
  const slices = sliceLine(part.text, size);
  return slices === null ? splitSentences(part) : slices.map((text) => ({ ...part, ...ROW, text }));
}

/** List items can be as long as paragraphs. An item with code stays whole. */
function splitLongLine(part: TextPart): readonly TextPart[] {
  return part.text.length <= WHOLE_CHARACTERS || part.text.includes('```') ? [part] : splitSentences(part);
}

function splitSentences(whole: TextPart): readonly TextPart[] {
  let { separator } = whole;
  const parts: TextPart[] = [];
  for (const { segment } of sentenceSegmenter.segment(whole.text)) {
    const text = segment.trimEnd();
    if (text !== '') {
      parts.push({
        ...{ text, separator, breakCost: parts.length === 0 ? whole.breakCost : COST.sentence },
        ...(whole.place !== undefined && { place: whole.place }),
      });
      separator = '';
    }
    separator += segment.slice(text.length);
  }
  return parts;
}

const BREAK_COST = 0.8;
/** Parts are a fifth of a passage, so that packing can produce passages of even size. */
const PARTS_IN_PASSAGE = 5;

/** Code units of a letter with its marks; longer sequences occur in no language and may be cut. */
const MAX_LETTER_LENGTH = 16;

/** A combining mark, a zero-width joiner, or a low surrogate. */
const CONTINUES_LETTER = /^(?:\p{M}|\u200d|[\udc00-\udfff])/u;

const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Cuts text that exceeds a passage between words, and a word that exceeds one (a key, a blob) between letters. */
function splitLongPart(whole: TextPart, size: PassageSize): readonly TextPart[] {
  if (fitsPassage(whole.text, size)) return [whole];
  const partSize: PassageSize = {
    ...size,
    maxCharacters: size.maxCharacters / PARTS_IN_PASSAGE,
    maxPieces: size.maxPieces / PARTS_IN_PASSAGE,
  };
  const buffer = new PartBuffer(whole, partSize);
  for (const { segment } of wordSegmenter.segment(whole.text)) {
    for (const piece of splitWord(segment, partSize)) buffer.add(piece);
  }
  return buffer.finish();
}

/** Cuts between letters and keeps a letter with its marks, unless it has more than `MAX_LETTER_LENGTH` of them. */
function splitWord(word: string, size: PassageSize): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + Math.floor(size.maxCharacters));
    while (end - start > 2 && !fitsPassage(word.slice(start, end), size))
      end = start + Math.ceil((end - start) / 2);
    const cut = end === word.length ? end : letterStart(word, end);
    pieces.push(word.slice(start, cut > start ? cut : end));
    start = cut > start ? cut : end;
  }
  return pieces;
}

/** Returns the nearest start of a letter at or before `index`, or `index` if none is within `MAX_LETTER_LENGTH`. */
function letterStart(word: string, index: number): number {
  let start = index;
  while (start > index - MAX_LETTER_LENGTH && CONTINUES_LETTER.test(word.slice(start, start + 2))) start -= 1;
  return start > index - MAX_LETTER_LENGTH ? start : index;
}

/** Collects pieces into parts of a maximum size; white space between two parts becomes the second one's separator. */
class PartBuffer {
  readonly #size: PassageSize;
  readonly #parts: TextPart[] = [];
  #open: TextPart;
  #space = '';
  #pieces = 0;

  constructor(whole: TextPart, size: PassageSize) {
    this.#size = size;
    this.#open = { ...whole, text: '' };
  }

  add(text: string): void {
    if (text.trim() === '') {
      this.#space += text;
      return;
    }
    const pieces = this.#size.countPieces(text);
    const { maxCharacters, maxPieces } = this.#size;
    const length = this.#open.text.length + this.#space.length + text.length;
    if (this.#open.text === '') this.#open = { ...this.#open, text };
    else if (length > maxCharacters || this.#pieces + pieces > maxPieces) {
      this.#parts.push(this.#open);
      const { place } = this.#open;
      this.#open = {
        ...{ text, separator: this.#space, breakCost: BREAK_COST },
        ...(place !== undefined && { place }),
      };
      this.#pieces = 0;
    } else this.#open = { ...this.#open, text: this.#open.text + this.#space + text };
    this.#pieces += pieces;
    this.#space = '';
  }

  finish(): readonly TextPart[] {
    return [...this.#parts, this.#open];
  }
}
