import { beginsHeaders, forwardMark, isAttribution, rule, separator } from './quote-marks.ts';
import { advertLine, pgpBegin, pgpEnd, signatureLine } from './signature-marks.ts';

interface Kind {
  /** Whether the mail answers one: what it quotes was said before. */
  readonly isReply: boolean;
  /** Whether it passes one on: what it quotes is what it is about. */
  readonly isForward: boolean;
}

/** Lines that a mail program has broken an attribution into, at most. */
const MOST_BROKEN = 4;
/** Of a line that a program wrote between texts. */
const LONGEST_MARK = 400;
/** Within which the labels of an Outlook's head follow one another, blank lines between them or not. */
const HEAD_LINES = 14;
/** Lines that may follow what a program wrote about itself. */
const MOST_AFTER_ADVERT = 4;

/**
 * What its sender wrote of a mail: without what it answers, and without signatures that are marked as such. Answers
 * between the lines of a quotation stay. A mail of which nothing would be left stays whole. Pure.
 */
export function newText(text: string, { isReply, isForward }: Kind): string {
  const plain = text.replaceAll(/\r\n?/g, '\n').replace(pgpBegin, '').replace(pgpEnd, '');
  const lines = plain.split('\n').map((line) => line.trimEnd());
  const own = isReply && !isForward ? withoutQuotes(lines) : lines;
  const said = tidy(withoutSignature(own));
  if (said !== '') return said;
  return tidy(withoutSignature(lines.filter((line) => !isQuoted(line)))) || tidy(lines);
}

/** Under a quotation whose lines are marked, what is not marked is an answer to it; else all of it is quoted. */
function withoutQuotes(lines: readonly string[]): readonly string[] {
  const own: string[] = [];
  let begin = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (isMark(forwardMark, lines[at] ?? '')) break;
    const end = quoteBegin(lines, at);
    if (end === null) continue;
    own.push(...withoutQuoted(withoutRule(lines.slice(begin, at))));
    let first = end;
    while (lines[first]?.trim() === '') first += 1;
    if (!isQuoted(lines[first] ?? '')) return own;
    own.push('');
    begin = end;
    at = end - 1;
  }
  return [...own, ...withoutQuoted(lines.slice(begin))];
}

/** The line after what introduces a quotation that begins here; null where none does. */
function quoteBegin(lines: readonly string[], at: number): number | null {
  const line = (lines[at] ?? '').trim();
  if (line === '') return null;
  if (isMark(separator, line)) return at + 1;
  const near = lines.slice(at, at + HEAD_LINES).map((one) => one.trim());
  if (beginsHeaders(near.filter((one) => one !== ''))) return lines.length;
  for (let count = 1; count <= MOST_BROKEN; count += 1) {
    const last = near[count - 1] ?? '';
    if (last === '' || isQuoted(last)) return null;
    if (isAttribution(near.slice(0, count))) return at + count;
    if (/[.?!]$/.test(last)) return null;
  }
  return null;
}

function isMark(mark: RegExp, line: string): boolean {
  return line.length <= LONGEST_MARK && mark.test(line);
}

function withoutQuoted(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (isQuoted(line) ? '' : line));
}

function isQuoted(line: string): boolean {
  return /^\s?[>＞]/u.test(line);
}

/** Outlook draws a line above the head of what it answers. */
function withoutRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return last >= 0 && rule.test(lines[last] ?? '') ? lines.slice(0, last) : lines;
}

function withoutSignature(lines: readonly string[]): readonly string[] {
  const marked = lines.findIndex((line, index) => signatureLine.test(line) && hasText(lines.slice(0, index)));
  const above = marked < 0 ? lines : lines.slice(0, marked);
  const advert = above.findLastIndex((line) => advertLine.test(line.trim()));
  if (advert < 0) return above;
  const below = above.slice(advert + 1);
  const isEnd = below.filter((line) => line.trim() !== '').length <= MOST_AFTER_ADVERT;
  const isShort = below.every((line) => line.length < 80);
  const kept = isEnd && isShort ? [] : below;
  return [...withoutRule(above.slice(0, advert)), ...kept];
}

function hasText(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() !== '');
}

function tidy(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
