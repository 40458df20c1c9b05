import { fits, type PassageSize, type TextPart } from './text-unit.ts';

const BREAK_COST = 0.8;
/** Parts are made smaller than a passage, so that passages come out even. */
const PARTS_IN_PASSAGE = 5;

/** A letter with more marks than this is no letter of any language. */
const MAX_LETTER_LENGTH = 16;

/** A mark, a joiner, or the second half of a character. */
const CONTINUES_LETTER = /^(?:\p{M}|\u200d|[\udc00-\udfff])/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** Cuts text that no passage could hold at words, and a word that none could hold (a key, a blob) at letters. */
export function splitLongPart(whole: TextPart, size: PassageSize): readonly TextPart[] {
  if (fits(whole.text, size)) return [whole];
  const partSize: PassageSize = {
    ...size,
    maxCharacters: size.maxCharacters / PARTS_IN_PASSAGE,
    maxPieces: size.maxPieces / PARTS_IN_PASSAGE,
  };
  const gathering = new Gathering(whole, partSize);
  for (const { segment } of words.segment(whole.text)) {
    for (const piece of splitWord(segment, partSize)) gathering.add(piece);
  }
  return gathering.finish();
}

/** Cuts between letters, not between a letter and its marks, unless one carries marks without end. */
function splitWord(word: string, size: PassageSize): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + Math.floor(size.maxCharacters));
    while (end - start > 2 && !fits(word.slice(start, end), size)) end = start + Math.ceil((end - start) / 2);
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
class Gathering {
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
