import type { BlockCollector } from '../block-collector.ts';
import { rowLines } from '../row-lines.ts';
import type { LineGroup } from './group-lines.ts';
import type { HeadingLevel } from './heading-level.ts';
import { hyphenatedWords, joinLines } from './join-lines.ts';

const BULLET = /^[•‣▪●○◦·–—*\p{Co}-]\s+/u;

/** Hands the groups of a document to the collector as headings, paragraphs, lists and tables. */
export function collectGroups(
  groups: readonly LineGroup[],
  headingLevel: HeadingLevel,
  collector: BlockCollector,
): void {
  const vocabulary = hyphenatedWords(groups.flatMap((group) => group.lines.map((line) => line.text)));
  let items: string[] = [];
  const flushItems = (): void => {
    collector.add('list', items.join('\n'));
    items = [];
  };
  groups.forEach((group, index) => {
    const level = headingLevel(group, groups[index + 1]);
    const text = joinLines(
      group.lines.map((line) => line.text),
      vocabulary,
    );
    if (group.kind === 'item' && level === null) {
      items.push(text.replace(BULLET, '- '));
      return;
    }
    flushItems();
    if (level !== null) collector.heading(level, text);
    else if (group.kind === 'table') collector.add('table', tableText(group));
    else if (group.kind === 'code') collector.add('code', codeText(group));
    else collector.add('paragraph', text);
  });
  flushItems();
}

function tableText(group: LineGroup): string {
  const [header, ...rows] = group.lines.map((line) => line.cells);
  if (header === undefined) return '';
  const labelled =
    rows.length > 1 && header.every((cell) => /\p{L}/u.test(cell)) && new Set(header).size === header.length;
  return rowLines(labelled ? header : [], labelled ? rows : [header, ...rows]).join('\n');
}

/** Indentation is told by where a line begins; characters of such fonts are three fifths of their size wide. */
function codeText({ lines }: LineGroup): string {
  const margin = Math.min(...lines.map((line) => line.left));
  return lines
    .map(
      (line) => ' '.repeat(Math.round((line.left - margin) / (0.6 * line.fontSize))) + line.cells.join('  '),
    )
    .join('\n');
}
