import type { Block } from './loaders/loader.ts';

/** A part of a block's text. */
interface TextPart {
  readonly text: string;
  /** The white space that stood before it: put back where it follows another part in a passage. */
  readonly separator: string;
  /** How bad it is to begin a passage here; 0 between blocks. */
  readonly breakCost: number;
}

/** A part that stays whole. */
export interface TextUnit extends TextPart {
  /** Whether it makes little sense without what follows it. */
  readonly leadsOn: boolean;
}

/** How large a passage may become, and how its word pieces are counted. */
export interface PassageSize {
  readonly maxCharacters: number;
  readonly maxPieces: number;
  readonly countPieces: (text: string) => number;
}

function fitsPassage(text: string, { maxCharacters, maxPieces, countPieces }: PassageSize): boolean {
  return text.length <= maxCharacters && countPieces(text) <= maxPieces;
}

/** Blocks up to this long stay whole wherever they come to stand. */
const WHOLE_CHARACTERS = 300;
/** In a block of more parts than this, neighbours that are together no longer than the latter are not parted. */
const MANY_PARTS = 2000;
const TINY_CHARACTERS = 40;
/** On top of every break within a block that could have stayed whole. */
const NEEDLESS_BREAK = 0.5;
const COST = { blankLine: 0.05, item: 0.1, row: 0.1, line: 0.2, innerItem: 0.25, sentence: 0.3 } as const;
const BLOCK_SEPARATOR = '\n\n';

const PSEUDO_HEADING_CHARACTERS = 60;

const sentenceSegmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Cuts a block into the units that may part from one another, each small enough for a passage. */
export function splitBlock(block: Block, size: PassageSize): readonly TextUnit[] {
  const whole = { text: block.text, separator: BLOCK_SEPARATOR, breakCost: 0 };
  const fitting = fitsPassage(block.text, size);
  const parts = fitting && block.text.length <= WHOLE_CHARACTERS ? [whole] : splitParts(block, whole, size);
  const extra = fitting ? NEEDLESS_BREAK : 0;
  return parts.map((part, index) => ({
    text: part.text,
    separator: index === 0 ? BLOCK_SEPARATOR : part.separator,
    breakCost: index === 0 ? 0 : part.breakCost + extra,
    leadsOn: introducesNext(block.kind, part.text),
  }));
}

function splitParts(block: Block, whole: TextPart, size: PassageSize): readonly TextPart[] {
  const parts = block.kind === 'paragraph' ? splitSentences(whole) : splitLines(block).flatMap(splitLongLine);
  return mergeTinyUnits(parts).flatMap((part) => splitLongPart(part, size));
}

/** An introduction, a question, or a short line without an end, as bold headings are. */
function introducesNext(kind: Block['kind'], text: string): boolean {
  if (/$(?<=[:?：？]\W*)/u.test(text)) return true;
  return (
    kind === 'paragraph' && text.length <= PSEUDO_HEADING_CHARACTERS && !/$(?<=[.!。！؟।;,|]\W*)/u.test(text)
  );
}

/** Packing tries every way to part a section: this keeps their number small where it is all short lines. */
function mergeTinyUnits(parts: readonly TextPart[]): readonly TextPart[] {
  if (parts.length <= MANY_PARTS) return parts;
  const joined: TextPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last === undefined || last.text.length + part.text.length > TINY_CHARACTERS) joined.push(part);
    else joined[joined.length - 1] = { ...last, text: last.text + part.separator + part.text };
  }
  return joined;
}

function splitLines(block: Block): readonly TextPart[] {
  const parts: TextPart[] = [];
  let separator = '';
  for (const line of block.text.split('\n')) {
    if (line.trim() !== '') {
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

/** An item or a row may be a paragraph by its length. */
function splitLongLine(part: TextPart): readonly TextPart[] {
  return part.text.length <= WHOLE_CHARACTERS ? [part] : splitSentences(part);
}

function splitSentences(whole: TextPart): readonly TextPart[] {
  let { separator } = whole;
  const parts: TextPart[] = [];
  for (const { segment } of sentenceSegmenter.segment(whole.text)) {
    const text = segment.trimEnd();
    if (text !== '') {
      parts.push({ text, separator, breakCost: parts.length === 0 ? whole.breakCost : COST.sentence });
      separator = '';
    }
    separator += segment.slice(text.length);
  }
  return parts;
}

const BREAK_COST = 0.8;
/** Parts are made smaller than a passage, so that passages come out even. */
const PARTS_IN_PASSAGE = 5;

/** A letter with more marks than this is no letter of any language. */
const MAX_LETTER_LENGTH = 16;

/** A mark, a joiner, or the second half of a character. */
const CONTINUES_LETTER = /^(?:\p{M}|\u200d|[\udc00-\udfff])/u;

const splitAtSpaces = new Intl.Segmenter('und', { granularity: 'word' });

/** Cuts text that no passage could hold at words, and a word that none could hold (a key, a blob) at letters. */
function splitLongPart(whole: TextPart, size: PassageSize): readonly TextPart[] {
  if (fitsPassage(whole.text, size)) return [whole];
  const partSize: PassageSize = {
    ...size,
    maxCharacters: size.maxCharacters / PARTS_IN_PASSAGE,
    maxPieces: size.maxPieces / PARTS_IN_PASSAGE,
  };
  const gathering = new PartBuffer(whole, partSize);
  for (const { segment } of splitAtSpaces.segment(whole.text)) {
    for (const piece of splitWord(segment, partSize)) gathering.add(piece);
  }
  return gathering.finish();
}

/** Cuts between letters, not between a letter and its marks, unless one carries marks without end. */
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

/** The last place shortly before `index` where a letter begins, or `index` itself. */
function letterStart(word: string, index: number): number {
  let start = index;
  while (start > index - MAX_LETTER_LENGTH && CONTINUES_LETTER.test(word.slice(start, start + 2))) start -= 1;
  return start > index - MAX_LETTER_LENGTH ? start : index;
}

/** Fills parts up to a size with the pieces that come; white space between two parts goes between them. */
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
      this.#open = { text, separator: this.#space, breakCost: BREAK_COST };
      this.#pieces = 0;
    } else this.#open = { ...this.#open, text: this.#open.text + this.#space + text };
    this.#pieces += pieces;
    this.#space = '';
  }

  finish(): readonly TextPart[] {
    return [...this.#parts, this.#open];
  }
}
