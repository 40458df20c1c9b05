import type { ReadAnswer } from './channel-demo.ts';
import { readLines } from './read-lines.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Reads HTML in which sources have lines of their own. */
export function readHtmlAnswer(html: string): ReadAnswer {
  const text = html
    .replaceAll(/<br>|<\/p>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+);/g, (raw, name: string) => named[name] ?? raw);
  return readLines(text);
}
