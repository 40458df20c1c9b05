import type { Block } from './loaders/loaded-document.ts';
import { splitLongPart } from './split-long-part.ts';
import { fits, type PassageSize, type TextPart, type TextUnit } from './text-unit.ts';

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

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Cuts a block into the units that may part from one another, each small enough for a passage. */
export function splitBlock(block: Block, size: PassageSize): readonly TextUnit[] {
  const whole = { text: block.text, separator: BLOCK_SEPARATOR, breakCost: 0 };
  const fitting = fits(block.text, size);
  const parts = fitting && block.text.length <= WHOLE_CHARACTERS ? [whole] : splitParts(block, whole, size);
  const extra = fitting ? NEEDLESS_BREAK : 0;
  return parts.map((part, index) => ({
    text: part.text,
    separator: index === 0 ? BLOCK_SEPARATOR : part.separator,
    breakCost: index === 0 ? 0 : part.breakCost + extra,
    leadsOn: leadsOn(block.kind, part.text),
  }));
}

function splitParts(block: Block, whole: TextPart, size: PassageSize): readonly TextPart[] {
  const parts = block.kind === 'paragraph' ? splitSentences(whole) : splitLines(block).flatMap(splitLongLine);
  return joinTiny(parts).flatMap((part) => splitLongPart(part, size));
}

/** An introduction, a question, or a short line without an end, as bold headings are. */
function leadsOn(kind: Block['kind'], text: string): boolean {
  if (/$(?<=[:?：？]\W*)/u.test(text)) return true;
  return (
    kind === 'paragraph' && text.length <= PSEUDO_HEADING_CHARACTERS && !/$(?<=[.!。！؟।;,|]\W*)/u.test(text)
  );
}

/** Packing tries every way to part a section: this keeps their number small where it is all short lines. */
function joinTiny(parts: readonly TextPart[]): readonly TextPart[] {
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
  for (const { segment } of sentences.segment(whole.text)) {
    const text = segment.trimEnd();
    if (text !== '') {
      parts.push({ text, separator, breakCost: parts.length === 0 ? whole.breakCost : COST.sentence });
      separator = '';
    }
    separator += segment.slice(text.length);
  }
  return parts;
}
