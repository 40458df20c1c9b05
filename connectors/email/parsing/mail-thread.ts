import { serveThread } from '../../../core/contract/threads.ts';
import { parseMail, type RawMail, readSource } from './parse-mail.ts';

export type MailRequest =
  | { readonly kind: 'mail'; readonly mail: RawMail }
  /** A file of a mail, by its index when the mail was received. */
  | { readonly kind: 'file'; readonly source: Uint8Array; readonly index: number };

/** Handles a request in the parsing thread. */
async function answer(request: MailRequest) {
  if (request.kind === 'mail') return parseMail(request.mail);
  const { attachments } = await readSource(request.source);
  const found = attachments[request.index];
  if (found === undefined) return { file: null };
  const { mimeType, content } = found;
  const body = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  return { file: { contentType: mimeType, body } };
}

serveThread(answer);
