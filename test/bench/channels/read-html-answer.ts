import type { ReadAnswer } from './channel-demo.ts';

const SOURCE = /^(?:🔗|📄) /u;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The signs before the lines of sources tell them from the rest. */
export function readHtmlAnswer(html: string): ReadAnswer {
  const lines = html
    .replaceAll(/<br>|<\/p>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+);/g, (raw, name: string) => named[name] ?? raw)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    text: lines.filter((line) => !SOURCE.test(line)).join(' '),
    sources: lines.filter((line) => SOURCE.test(line)).map((line) => line.replace(SOURCE, '')),
  };
}
