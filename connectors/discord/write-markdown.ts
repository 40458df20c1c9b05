import type { Block, TextBlock } from '../shared/markdown/block.ts';
import { linkRuns } from '../shared/markdown/link-runs.ts';
import { writeCode } from './write-code.ts';
import { APART, escapeLines, writeSpans } from './write-spans.ts';

/** Discord knows three sizes of headings. */
const SMALLEST = 3;

/** Blocks in Discord's own Markdown. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + written(block)).join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight || block.kind === 'code' ? '\n' : '\n\n';
}

/** Code stands outside of a quotation, whose marks would be part of it. */
function written(block: Block): string {
  if (block.kind === 'code') return writeCode(block);
  const text = writeText(block);
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function writeText({ prefix, heading, spans }: TextBlock): string {
  const text = linkRuns(spans).map(writeLink).reduce(joined, '');
  // What is written in several lines is no heading after the first one.
  const isHeading = heading !== null && !text.includes('\n') && text.trim() !== '';
  const mark = isHeading ? `${'#'.repeat(Math.min(heading, SMALLEST))} ` : prefix.replace('• ', '- ');
  return mark + escapeLines(text);
}

/** Marks of two links that stand side by side are not to be read as one. */
function joined(before: string, after: string): string {
  return /[`*_~]$/.test(before) && /^[`*_~]/.test(after) ? `${before}${APART}${after}` : before + after;
}

type Run = ReturnType<typeof linkRuns>[number];

/** In brackets no preview is shown. Discord makes no link of a text with an address in it, or with other brackets. */
function writeLink({ link, spans }: Run): string {
  const inner = writeSpans(spans);
  if (link === null) return inner;
  const text = spans.map((span) => span.text).join('');
  if (text === link || text.trim() === '') return `<${link}>`;
  if (/:\/\/|[[\]\n]/.test(text)) return `${inner} (<${link}>)`;
  return `[${inner}](<${link}>)`;
}
