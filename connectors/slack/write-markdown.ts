import type { Block, Span, Style, TextBlock } from '../shared/markdown/block.ts';
import { linkRuns } from '../shared/markdown/link-runs.ts';
import { splitMargins } from '../shared/markdown/split-margins.ts';

/** Blocks as Markdown again. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + quoted(block, written(block))).join('');
}

function separator({ tight }: Block, index: number): string {
  if (index === 0) return '';
  return tight ? '\n' : '\n\n';
}

function quoted(block: Block, text: string): string {
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function written(block: Block): string {
  if (block.kind === 'text') return writeText(block);
  const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1));
  return `${fence}${block.language?.replaceAll(/[`\s]/g, '') ?? ''}\n${block.text}\n${fence}`;
}

function writeText({ prefix, heading, spans }: TextBlock): string {
  const mark = heading === null ? '' : `${'#'.repeat(heading)} `;
  const text = linkRuns(spans).map(({ link, spans: run }) => {
    const inner = run.map(writeSpan).join('');
    return link === null ? inner : `[${inner}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  });
  const line = text.join('');
  return mark + prefix.replace('• ', '- ') + (heading === null ? line : line.replaceAll('\n', ' '));
}

/** White space at an end of what is set apart would make its marks letters. */
function writeSpan({ text, style }: Span): string {
  const { before, inner, after } = splitMargins(text);
  if (inner === '') return text;
  return before + (style.code === true ? writeCode(inner) : decorated(escapedText(inner), style)) + after;
}

function writeCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`;
}

function decorated(text: string, { bold, italic, strike }: Style): string {
  const marks = [italic === true ? '_' : '', bold === true ? '**' : '', strike === true ? '~~' : ''];
  return marks.reduce((inner, mark) => `${mark}${inner}${mark}`, text);
}

function escapedText(text: string): string {
  return text
    .replaceAll(/[\\`*_~[\]<>|]/g, '\\$&')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)([#+-])(?=\s|$)/gm, '$1\\$2')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)([.)])(?=\s|$)/gm, '$1\\$2');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
