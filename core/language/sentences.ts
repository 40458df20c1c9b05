import { uniteWords } from './find-language.ts';

/** End punctuation with closing quotes, brackets and footnote marks, followed by the start of a sentence. */
const LATIN_END =
  /(?<![.!?…।؟۔])[.!?…।؟۔]+["'”’»)\]]*(?:\[[^\]\s]{1,16}(?: [^\]\s]{1,16})?\]){0,8}(?=\s+["'“‘„«¿¡([]*[^\s\p{Ll}])/gu;
const WIDE_END = /[。！？｡]+[」』”’）]*/gu;
const LIST_ITEM = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/u;
/** `column: value; column: value`. */
const TABLE_ROW = /^[^:;.!?]{1,60}: [^;]+; [^:;.!?]{1,60}: /u;
const THAI = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Text in scripts without sentence marks is cut at the space nearest below this length. */
const UNMARKED_LENGTH = 160;
/** A shorter piece carries no meaning alone and stays with its neighbour. */
const MIN_SENTENCE_CHARACTERS = 25;

/** Splits a passage into its sentences, verbatim and in order. A list line or a table row counts as one sentence. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of joinWrappedLines(text)) {
    if (LIST_ITEM.test(line) || TABLE_ROW.test(line)) sentences.push(line);
    else for (const sentence of splitLine(line)) sentences.push(sentence);
  }
  return sentences;
}

/** Joins hard-wrapped lines: a line without end punctuation and a next line that starts in lower case. */
function joinWrappedLines(text: string): string[] {
  const lines: string[] = [];
  let open = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const previous = lines.at(-1);
    if (open && previous !== undefined && /^\p{Ll}/u.test(line) && !LIST_ITEM.test(line)) {
      lines[lines.length - 1] = `${previous} ${line}`;
    } else if (line !== '') lines.push(line);
    open = line !== '' && !/[.!?:;…。！？]$/u.test(line);
  }
  return lines;
}

function splitLine(line: string): readonly string[] {
  const wide = /[。！？｡]/u.test(line);
  const pieces = splitAtEnds(line, wide ? WIDE_END : LATIN_END, !wide);
  if (!THAI.test(line)) return pieces;
  return pieces.flatMap((piece) => (piece.length > UNMARKED_LENGTH * 1.5 ? cutAtSpaces(piece) : [piece]));
}

function splitAtEnds(line: string, ends: RegExp, marked: boolean): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const match of line.matchAll(ends)) {
    const end = match.index + match[0].length;
    const piece = line.slice(start, end).trim();
    const rest = line.slice(end).trimStart();
    if (
      marked &&
      (piece.length < MIN_SENTENCE_CHARACTERS ||
        rest.length < MIN_SENTENCE_CHARACTERS ||
        !isSentenceEnd(piece, rest.slice(0, 24)))
    )
      continue;
    if (piece !== '') pieces.push(piece);
    start = end;
  }
  const rest = line.slice(start).trim();
  if (rest !== '') pieces.push(rest);
  return pieces;
}

function cutAtSpaces(piece: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const word of piece.split(' ')) {
    if (part !== '' && part.length + word.length > UNMARKED_LENGTH) {
      parts.push(part);
      part = '';
    }
    part = part === '' ? word : `${part} ${word}`;
  }
  if (part !== '') parts.push(part);
  return parts;
}

/** Abbreviations that never end a sentence because a name, number or example follows. */
const INNER_ABBREVIATIONS = uniteWords(({ grammar }) => grammar?.abbreviations?.inner);
/** Abbreviations that end a sentence only if the next word is one of `SENTENCE_STARTERS`. */
const FINAL_ABBREVIATIONS = uniteWords(({ grammar }) => grammar?.abbreviations?.final);
const SENTENCE_STARTERS = uniteWords(({ grammar }) => grammar?.sentenceStarts);
const ORDINAL_NOUNS = uniteWords(({ grammar }) => grammar?.ordinalNouns);

/** Longer than any abbreviation. It bounds the look-back, so that texts without spaces do not take quadratic time. */
const MAX_WORD_CHARACTERS = 100;
const OPENING = /^[("'“„«[]+/u;

/** Returns whether the full stop at the end of `before` ends a sentence, given the text that follows it. */
export function isSentenceEnd(before: string, after: string): boolean {
  if (!before.endsWith('.')) return true;
  const tail = before.slice(-MAX_WORD_CHARACTERS);
  const last = tail.slice(tail.lastIndexOf(' ') + 1, -1).replace(OPENING, '');
  if (last === '') return true;
  const word = last.toLowerCase();
  const next = (/^[\p{L}\p{N}'’]+/u.exec(after)?.[0] ?? '').toLowerCase();
  if (/^\p{Lu}$/u.test(last)) return word !== 'i' && SENTENCE_STARTERS.has(next) && next.length > 1;
  if (/^\d{1,2}$/u.test(word) && ORDINAL_NOUNS.has(next)) return false;
  if (FINAL_ABBREVIATIONS.has(word)) return SENTENCE_STARTERS.has(next);
  return !INNER_ABBREVIATIONS.has(word);
}
