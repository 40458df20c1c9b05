import { BlockCollector, cleanText } from './block-collector.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle } from './metadata.ts';

const LIST_ITEM = /^[ \t]*(?:[-*+•‣▪●○◦·–—]|\d{1,3}[.)]|[a-z][.)])[ \t]+\S/;
const MIN_WRAPPED = 50;
const MAX_WRAPPED = 100;

/** Reads plain text: blank lines part paragraphs, marked lines make lists, hard-wrapped lines are joined again. */
export function loadText(text: string, limits: LoadingLimits): LoadedDocument {
  const collector = new BlockCollector(limits);
  for (const part of cleanText(text).split(/\n[ \t\n]*\n/)) {
    const lines = part.split('\n').map((line) => line.trimEnd());
    if (lines.length > 1 && lines.slice(1).some((line) => LIST_ITEM.test(line))) addList(lines, collector);
    else collector.add(lines.length === 1 && LIST_ITEM.test(part) ? 'list' : 'paragraph', paragraph(lines));
  }
  return detectTitle(collector, { title: null, url: null });
}

/** What comes before the first item introduces the list: a paragraph of its own. */
function addList(lines: readonly string[], collector: BlockCollector): void {
  const first = lines.findIndex((line) => LIST_ITEM.test(line));
  collector.add('paragraph', paragraph(lines.slice(0, first)));
  collector.add('list', lines.slice(first).join('\n'));
}

function paragraph(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(isWrapped(lines) ? ' ' : '\n');
}

/** Lines that an editor broke at its margin are all about as long, but for the last; addresses and verses are not. */
function isWrapped(lines: readonly string[]): boolean {
  const lengths = lines.slice(0, -1).map((line) => line.length);
  return lengths.every((length) => length >= MIN_WRAPPED && length <= MAX_WRAPPED);
}
