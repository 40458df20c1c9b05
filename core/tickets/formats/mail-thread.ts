import PostalMime, { type Address } from 'postal-mime';
import { automaticMailReason, findHeader } from '../../contract/mail/automatic-mail.ts';
import { serveThread } from '../../contract/threads.ts';
import { readOwnHtml, readOwnWords } from './own-words.ts';

/** The parts of a mail of an archive that are kept. */
export interface ArchivedMail {
  readonly messageId: string | null;
  /** The ids that it answers, the first mail of its thread first. */
  readonly references: readonly string[];
  readonly from: { readonly name: string; readonly address: string } | null;
  readonly sentAt: Date | null;
  readonly subject: string;
  /** Without quotations and signature; empty for a mail of a machine. */
  readonly text: string;
  readonly isAutomatic: boolean;
  readonly labels: readonly string[];
}

const MAX_REFERENCES = 30;
const MAX_SUBJECT = 500;
const MAX_HEADER = 8_000;
const MAX_LABELS = 20;
const MAX_NESTING = 50;

/** Parses mails; null for those that cannot be parsed. */
async function parseMails(sources: readonly Uint8Array[]): Promise<readonly (ArchivedMail | null)[]> {
  const mails: (ArchivedMail | null)[] = [];
  for (const source of sources) mails.push(await parseArchivedMail(source));
  return mails;
}

/** Exported for its test: a hostile mail can take long, so imports call it in a thread. */
export async function parseArchivedMail(source: Uint8Array): Promise<ArchivedMail | null> {
  const email = await PostalMime.parse(source, { maxNestingDepth: MAX_NESTING }).catch(() => null);
  if (email === null) return null;
  const headers = email.headers.map(({ key, value }): [string, string] => [key, value.slice(0, MAX_HEADER)]);
  const header = (name: string) => findHeader({ headers }, name) ?? '';
  const [from = null] = people(email.from);
  if (from === null && email.subject === undefined) return null;
  const answered = messageIds(`${header('references')} ${header('in-reply-to')}`);
  const subject = (email.subject ?? '').slice(0, MAX_SUBJECT);
  const isReply = answered.length > 0 || /^\s*(?:re|aw|antw|sv|vs|odp|rép|res|rif)\s*:/iu.test(subject);
  const isAutomatic =
    automaticMailReason({
      ...{ headers, from, subject, calendar: null },
      replyTo: (email.replyTo ?? []).flatMap(people),
      reports: email.attachments.map(({ mimeType }) => ({ type: mimeType })),
    }) !== null;
  const sentAt = new Date(email.date ?? '');
  const plain = email.text ?? '';
  const read = () =>
    plain.trim() === '' ? readOwnHtml(email.html ?? '', { isReply }) : readOwnWords(plain, { isReply });
  return {
    messageId: messageIds(header('message-id'))[0] ?? null,
    references: answered.slice(0, MAX_REFERENCES),
    from,
    sentAt: Number.isNaN(sentAt.getTime()) ? null : sentAt,
    subject,
    text: isAutomatic ? '' : read(),
    isAutomatic,
    labels: header('x-gmail-labels')
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== '')
      .slice(0, MAX_LABELS),
  };
}

const ID = /<([^<>\s]{1,400})>/gu;

function messageIds(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(ID), ([, id = '']) => id))];
}

function people(address: Address | undefined): readonly { name: string; address: string }[] {
  if (address === undefined) return [];
  if (address.group !== undefined) return address.group.flatMap(people);
  if (!/^[^\s@<>]{1,200}@[^\s@<>]{1,200}$/u.test(address.address)) return [];
  return [{ name: address.name.slice(0, 200), address: address.address.toLowerCase() }];
}

serveThread(parseMails);
