import { BlockCollector, cleanText } from './block-collector.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle } from './metadata.ts';

const LIST_ITEM = /^[ \t]*(?:[-*+•‣▪●○◦·–—]|\d{1,3}[.)]|[a-z][.)])[ \t]+\S/;
const MIN_WRAPPED_CHARACTERS = 50;
const MAX_WRAPPED_CHARACTERS = 100;

/** Reads plain text: blank lines separate paragraphs, marked lines form lists, hard-wrapped lines are joined. */
export function loadText(text: string, limits: LoadingLimits): LoadedDocument {
  const collector = new BlockCollector(limits);
  for (const part of cleanText(text).split(/\n[ \t\n]*\n/)) {
    const lines = part.split('\n').map((line) => line.trimEnd());
    if (lines.length > 1 && lines.slice(1).some((line) => LIST_ITEM.test(line))) addList(lines, collector);
    else collector.add(lines.length === 1 && LIST_ITEM.test(part) ? 'list' : 'paragraph', paragraph(lines));
  }
  return detectTitle(collector, { title: null, url: null });
}

/** Lines before the first item introduce the list and become a paragraph. */
function addList(lines: readonly string[], collector: BlockCollector): void {
  const first = lines.findIndex((line) => LIST_ITEM.test(line));
  collector.add('paragraph', paragraph(lines.slice(0, first)));
  collector.add('list', lines.slice(first).join('\n'));
}

function paragraph(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(isWrapped(lines) ? ' ' : '\n');
}

/** Hard-wrapped lines all have similar lengths except the last one; lines of addresses and verses do not. */
function isWrapped(lines: readonly string[]): boolean {
  const lengths = lines.slice(0, -1).map((line) => line.length);
  return lengths.every((length) => length >= MIN_WRAPPED_CHARACTERS && length <= MAX_WRAPPED_CHARACTERS);
}
