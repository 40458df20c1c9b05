import type { ReadAnswer } from './channel-demo.ts';

const SOURCE = /^(?:🔗|📄) /u;

/**
 * Splits an answer by the signs before the lines of sources. `link`: how such a line names a title, in its first
 * group.
 */
export function readLines(text: string, link?: RegExp): ReadAnswer {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const titleOf = (line: string) => (link === undefined ? line : line.replace(link, '$1'));
  return {
    text: lines.filter((line) => !SOURCE.test(line)).join(' '),
    sources: lines.filter((line) => SOURCE.test(line)).map((line) => titleOf(line.replace(SOURCE, ''))),
  };
}
