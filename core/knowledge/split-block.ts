import type { Block } from './loaders/loaded-document.ts';
import { splitLongUnit } from './split-long-unit.ts';
import { fits, type PassageSize, type TextUnit } from './text-unit.ts';

/** Blocks up to this long stay whole wherever they come to stand. */
const WHOLE_CHARACTERS = 300;
/** Neighbours that are together no longer than this are not parted. */
const TINY_CHARACTERS = 40;
/** On top of every break within a block that could have stayed whole. */
const NEEDLESS_BREAK = 0.5;
const COST = { blankLine: 0.05, item: 0.1, row: 0.1, line: 0.2, innerItem: 0.25, sentence: 0.3 } as const;
const BLOCK_SEPARATOR = '\n\n';

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Cuts a block into the units that may part from one another, each small enough for a passage. */
export function splitBlock(block: Block, size: PassageSize): readonly TextUnit[] {
  const fitting = fits(block.text, size);
  const whole = [{ text: block.text, separator: BLOCK_SEPARATOR, breakCost: 0 }];
  if (fitting && block.text.length <= WHOLE_CHARACTERS) return whole;
  const extra = fitting ? NEEDLESS_BREAK : 0;
  const units = block.kind === 'paragraph' ? splitSentences(whole) : splitLines(block).flatMap(splitLongLine);
  return joinTiny(units)
    .flatMap((unit) => splitLongUnit(unit, size))
    .map((unit, index) =>
      index === 0
        ? { ...unit, separator: BLOCK_SEPARATOR, breakCost: 0 }
        : { ...unit, breakCost: unit.breakCost + extra },
    );
}

/** Keeps the number of ways to pack a section small where it is all short lines. */
function joinTiny(units: readonly TextUnit[]): readonly TextUnit[] {
  const joined: TextUnit[] = [];
  for (const unit of units) {
    const last = joined.at(-1);
    if (last === undefined || last.text.length + unit.text.length > TINY_CHARACTERS) joined.push(unit);
    else joined[joined.length - 1] = { ...last, text: last.text + unit.separator + unit.text };
  }
  return joined;
}

function splitLines(block: Block): readonly TextUnit[] {
  const units: TextUnit[] = [];
  let separator = '';
  for (const line of block.text.split('\n')) {
    if (line.trim() !== '') {
      units.push({ text: line, separator, breakCost: lineCost(block.kind, line, separator) });
      separator = '';
    }
    separator += '\n';
  }
  return units;
}

function lineCost(kind: Block['kind'], line: string, separator: string): number {
  if (kind === 'table') return COST.row;
  if (kind === 'code') return separator.length > 1 ? COST.blankLine : COST.line;
  return /^\s/.test(line) ? COST.innerItem : COST.item;
}

/** An item or a row may be a paragraph by its length. */
function splitLongLine(unit: TextUnit): readonly TextUnit[] {
  return unit.text.length <= WHOLE_CHARACTERS ? [unit] : splitSentences([unit]);
}

function splitSentences(units: readonly TextUnit[]): readonly TextUnit[] {
  return units.flatMap((unit) => {
    let separator = unit.separator;
    const parts: TextUnit[] = [];
    for (const { segment } of sentences.segment(unit.text)) {
      const text = segment.trimEnd();
      if (text !== '') {
        parts.push({ text, separator, breakCost: parts.length === 0 ? unit.breakCost : COST.sentence });
        separator = '';
      }
      separator += segment.slice(text.length);
    }
    return parts;
  });
}
