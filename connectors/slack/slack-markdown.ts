import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';
import { neutral } from './neutral.ts';
import { writeMarkdown } from './write-markdown.ts';

/** What a window of Slack shows of code without breaking its lines. */
export const TABLE_COLUMNS = 60;

/**
 * Markdown as Slack takes it: almost as it is. Slack's own shows no tables, so those are set in letters of one width, or
 * as lines where they are wide.
 */
export function slackMarkdown(markdown: string): string {
  let done = 0;
  const pieces = tablesIn(markdown).flatMap(([start, end]) => {
    const before = markdown.slice(done, start);
    done = end;
    return [before, writeMarkdown(readMarkdown(markdown.slice(start, end), { tableColumns: TABLE_COLUMNS }))];
  });
  return neutral([...pieces, markdown.slice(done)].join(''));
}

function tablesIn(markdown: string): readonly (readonly [number, number])[] {
  if (!markdown.includes('|')) return [];
  try {
    const { children } = fromMarkdown(markdown, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    return children.flatMap(({ type, position }) => {
      const [start, end] = [position?.start.offset, position?.end.offset];
      return type === 'table' && start !== undefined && end !== undefined ? [[start, end] as const] : [];
    });
  } catch (error) {
    // As in readMarkdown: nothing that is nested so deep is a table of ours.
    if (error instanceof RangeError) return [];
    throw error;
  }
}
