import { createHash } from 'node:crypto';
import type { UnthreadedMail } from './mail.ts';

/** The same for every copy of a mail, whichever folder it is in; another for one that only borrows its Message-ID. */
export function mailPrint({ messageId, from, headers, text, html }: UnthreadedMail): string {
  const date = headers.find(([key]) => key === 'date')?.[1] ?? '';
  const told = [messageId, from?.address.toLowerCase(), date];
  const parts = messageId === null ? [...told, text, html] : told;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
