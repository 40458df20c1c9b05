import type { Attachment } from 'postal-mime';
import type { UnthreadedMail } from './mail.ts';

const line = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT)(?:;[^:\r\n\u2028\u2029]*)?:(.*)$/gim;
const escaped: Readonly<Record<string, string>> = { n: '\n', N: '\n' };

/** What an invitation, or an answer to one, says of itself (RFC 5545); null where there is none. Pure. */
export function calendarOf(files: readonly Attachment[]): UnthreadedMail['calendar'] {
  const file = files.find(({ mimeType }) => mimeType === 'text/calendar');
  if (file === undefined) return null;
  const { content, method } = file;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, '');
  const told = /^METHOD:(\w+)/im.exec(unfolded)?.[1];
  const said = [...unfolded.matchAll(line)].map(([, , value = '']) => plain(value).trim());
  return {
    method: (method ?? told ?? '').toUpperCase(),
    text: [...new Set(said.filter((words) => words !== ''))].join('\n'),
  };
}

function plain(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, sign: string) => escaped[sign] ?? sign);
}
