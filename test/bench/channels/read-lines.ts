import type { ReadAnswer } from './channel-demo.ts';

const SOURCE = /^(?:🔗|📄) /u;

/** The signs before the lines of sources tell them from the rest. `link`: how such a line names a title, in its first group. */
export function readLines(text: string, link?: RegExp): ReadAnswer {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const titleOf = (line: string) => (link === undefined ? line : line.replace(link, '$1'));
  return {
    text: lines.filter((line) => !SOURCE.test(line)).join(' '),
    sources: lines.filter((line) => SOURCE.test(line)).map((line) => titleOf(line.replace(SOURCE, ''))),
  };
}
