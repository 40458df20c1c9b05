import { isUtf8 } from 'node:buffer';
import { detect } from 'chardet';
import PostalMime, { type Address, type Attachment, decodeWords, type Email } from 'postal-mime';
import { isFromMailServer } from '../../../core/contract/mail/automatic-mail.ts';
import { htmlToText } from '../../../core/contract/mail/html-to-text.ts';
import { parseMessageIds } from '../identifiers.ts';
import type { UnthreadedMail } from './mail.ts';

/** Maximum number of characters stored; more than a person writes. */
const MAX_TEXT = 200_000;
/** The time of the parser depends on the number of lines more than on the length. */
export const MAX_LINES = 5_000;
const MAX_HEADER = 8_000;
const MAX_HEADERS = 300;
const MAX_REFERENCES = 100;
const MAX_SUBJECT = 1_000;
const MAX_REPORT = 32_000;
const MAX_REPORTS = 20;
const MAX_PEOPLE = 200;
const MAX_FILES = 200;

const reportTypes =
  /^(message\/(delivery-status|rfc822|global|disposition-notification|feedback-report)|text\/rfc822-headers)$/;

export interface RawMail
  extends Pick<UnthreadedMail, 'uid' | 'uidValidity' | 'receivedAt' | 'bytes' | 'isCut'> {
  readonly source: Uint8Array;
  /** The text with its own headers, if `source` contains only the headers of the mail. */
  readonly text?: Uint8Array;
  /** Descriptions of files that were not fetched. */
  readonly files?: UnthreadedMail['files'];
  readonly isUnread?: boolean;
}

/**
 * Parses a mail. If parsing fails, it returns what the first lines contain. A hostile mail can take minutes, so this runs
 * in a thread, see `readMail`.
 */
export async function parseMail(raw: RawMail): Promise<UnthreadedMail> {
  const { source, text, files, isUnread = false, ...place } = raw;
  const email = await readSource(fixCharset(source)).catch(() => headOf(source));
  const body = text === undefined ? email : await readSource(fixCharset(text)).catch(() => headOf(text));
  return mailOf(email, { ...place, ...extractText(body), isUnread, ...(files !== undefined && { files }) });
}

/** Extracts sender and subject from the first lines without a parser, in bounded time. */
export function parseFirstLines({ source, ...place }: Omit<RawMail, 'text' | 'files'>): UnthreadedMail {
  return mailOf(headOf(source), { ...place, text: '', html: '', htmlText: '', isUnread: true, files: [] });
}

type Known = Pick<
  UnthreadedMail,
  'uid' | 'uidValidity' | 'receivedAt' | 'bytes' | 'isCut' | 'isUnread' | 'text' | 'html' | 'htmlText'
> & { readonly files?: UnthreadedMail['files'] };

function mailOf(email: Email, { files, ...known }: Known): UnthreadedMail {
  const headers = email.headers.map(({ key, value }): [string, string] => [
    key,
    limitText(value, MAX_HEADER),
  ]);
  const all = (name: string) =>
    email.headers.flatMap(({ key, value }) => (key === name ? [removeNullCharacters(value)] : []));
  const from = parsePeople(email.from)[0] ?? parsePeople(email.sender)[0] ?? null;
  return {
    ...known,
    headers: headers.slice(0, MAX_HEADERS),
    from,
    replyTo: (email.replyTo ?? []).flatMap(parsePeople).slice(0, MAX_PEOPLE),
    to: recipients(email, all),
    cc: (email.cc ?? []).flatMap(parsePeople).slice(0, MAX_PEOPLE),
    subject: limitText(email.subject ?? '', MAX_SUBJECT)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    messageId: parseMessageIds(all('message-id')[0] ?? '')[0] ?? null,
    inReplyTo: [...parseMessageIds(all('in-reply-to').join(' '))].slice(0, MAX_REFERENCES),
    references: firstAndLast(parseMessageIds(all('references').join(' '))),
    files: files ?? email.attachments.slice(0, MAX_FILES).map(toFile),
    calendar: cleanCalendar(parseCalendar(email.attachments)),
    reports: email.attachments.flatMap(parseReport).slice(0, MAX_REPORTS),
  };
}

function extractText(email: Email): Pick<UnthreadedMail, 'text' | 'html' | 'htmlText'> {
  const text = limitText(firstLines(email.text ?? ''), MAX_TEXT);
  const html = limitText(email.html ?? '', MAX_TEXT);
  const htmlText = text.trim() === '' ? limitText(firstLines(htmlToText(html)), MAX_TEXT) : '';
  return { text, html, htmlText };
}

function firstLines(text: string): string {
  let end = -1;
  for (let line = 0; line < MAX_LINES; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return `${text.slice(0, end)}\n[…]`;
}

/**
 * Parses the parts of a mail. The mail that a mail server returns in a bounce is kept as an attachment, so that its
 * headers can be read and it is not taken for text.
 */
export async function readSource(source: Uint8Array): Promise<Email> {
  const limits = { maxNestingDepth: 50 };
  const email = await PostalMime.parse(source, limits);
  const from = parsePeople(email.from)[0] ?? null;
  const headers = email.headers.map(({ key, value }): [string, string] => [key, value]);
  if (!isFromMailServer({ headers, from, reports: email.attachments.flatMap(parseReport) })) return email;
  return PostalMime.parse(source, { ...limits, forceRfc822Attachments: true });
}

/** The first and the last ids identify the thread. */
function firstAndLast(ids: readonly string[]): string[] {
  if (ids.length <= MAX_REFERENCES) return [...ids];
  return [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)];
}

function cleanCalendar(calendar: UnthreadedMail['calendar']): UnthreadedMail['calendar'] {
  return calendar && { ...calendar, text: limitText(calendar.text, MAX_REPORT) };
}

/** Includes the addresses under which the mail was delivered, if the server adds them. */
function recipients(email: Email, all: (name: string) => string[]): UnthreadedMail['to'] {
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to', 'x-delivered-to', 'x-envelope-to']
    .flatMap(all)
    .map((address) => ({ name: '', address: limitText(address, 320).replaceAll(/[<>\s]/g, '') }));
  return [...(email.to ?? []).flatMap(parsePeople), ...delivered].slice(0, MAX_PEOPLE);
}

function parsePeople(address: Address | undefined): readonly { name: string; address: string }[] {
  if (address === undefined) return [];
  if (address.group !== undefined) return address.group.flatMap(parsePeople);
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address.address)) return [];
  return [{ name: limitText(address.name, 200).trim(), address: limitText(address.address, 320) }];
}

function toFile(
  { filename, mimeType, content, related, disposition }: Attachment,
  index: number,
): UnthreadedMail['files'][number] {
  return {
    name: filename === null ? null : limitText(filename, 255),
    type: limitText(mimeType, 255),
    bytes: typeof content === 'string' ? content.length : content.byteLength,
    part: `n${index}`,
    embedded: related === true || disposition === 'inline',
  };
}

function parseReport({ mimeType, content }: Attachment): UnthreadedMail['reports'] {
  if (!reportTypes.test(mimeType)) return [];
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return [{ type: mimeType, text: limitText(text, MAX_REPORT) }];
}

/** Fallback for mails with too deep nesting or endless headers, so that agents see at least the sender. */
function headOf(source: Uint8Array): Email {
  const head = Buffer.from(source.subarray(0, MAX_HEADER)).toString('latin1');
  const of = (name: string) =>
    decodeWords(new RegExp(`^${name}:[ \t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '');
  const [, address = ''] = /(?<![^\s<>])([^\s<>]+@[^\s<>]+)/.exec(of('from')) ?? [];
  return {
    headers: [],
    headerLines: [],
    subject: of('subject'),
    ...(address !== '' && { from: { name: '', address } }),
    attachments: [],
  };
}

function limitText(text: string, max: number): string {
  return removeNullCharacters(text.length > max ? `${text.slice(0, max)} […]` : text);
}

/** Some programs write single quotes, which parsers do not treat as quotes. */
const singleQuotedCharset = /(charset\s*=\s*)'([\w.:-]{1,40})'/gi;
const asciiLabel = /charset\s*=\s*"?us-ascii"?/gi;
const otherLabel = /charset\s*=\s*"?(?!utf-?8|us-ascii)[\w-]/i;
const SAMPLE = 100_000;

/** Corrects a missing or wrong charset of a mail. */
function fixCharset(source: Uint8Array): Uint8Array {
  const bytes = unquoteCharset(Buffer.from(source.buffer, source.byteOffset, source.byteLength));
  if (bytes.every((byte) => byte < 0x80)) return bytes;
  if (isUtf8(bytes)) return withDeclaredCharset(bytes);
  return otherLabel.test(bytes.toString('latin1')) ? bytes : withDeclaredCharset(asUtf8(bytes));
}

function unquoteCharset(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return text.search(singleQuotedCharset) < 0
    ? bytes
    : Buffer.from(text.replaceAll(singleQuotedCharset, '$1$2'), 'latin1');
}

/** Bytes above 0x7F are not US-ASCII, even if the mail says so. */
function withDeclaredCharset(bytes: Buffer): Uint8Array {
  const text = bytes.toString('utf8');
  return text.search(asciiLabel) < 0 ? bytes : Buffer.from(text.replaceAll(asciiLabel, 'charset=utf-8'));
}

function asUtf8(bytes: Buffer): Buffer {
  const found = detect(bytes.subarray(0, SAMPLE)) ?? 'windows-1252';
  try {
    return Buffer.from(new TextDecoder(found.startsWith('UTF') ? 'windows-1252' : found).decode(bytes));
  } catch {
    // The detected charset is not supported.
    return Buffer.from(new TextDecoder('windows-1252').decode(bytes));
  }
}

const line = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT)(?:;[^:\r\n\u2028\u2029]*)?:(.*)$/gim;
const escaped: Readonly<Record<string, string>> = { n: '\n', N: '\n' };

/** Returns the method and the text of an invitation, or of a reply to one (RFC 5545); null if there is none. Pure. */
function parseCalendar(files: readonly Attachment[]): UnthreadedMail['calendar'] {
  const file = files.find(({ mimeType }) => mimeType === 'text/calendar');
  if (file === undefined) return null;
  const { content, method } = file;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, '');
  const methodLine = /^METHOD:(\w+)/im.exec(unfolded)?.[1];
  const lines = [...unfolded.matchAll(line)].map(([, , value = '']) => unescapeCalendarText(value).trim());
  return {
    method: (method ?? methodLine ?? '').toUpperCase(),
    text: [...new Set(lines.filter((words) => words !== ''))].join('\n'),
  };
}

function unescapeCalendarText(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, sign: string) => escaped[sign] ?? sign);
}

/** Removes NUL characters and lone surrogates, which PostgreSQL cannot store. */
function removeNullCharacters(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
