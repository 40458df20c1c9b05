import { createHash } from 'node:crypto';
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import type { EmailAccount } from './manifest.ts';
import type { UnthreadedMail } from './parsing/mail.ts';
import { MAX_LINES, type RawMail } from './parsing/parse-mail.ts';
import { readMail } from './parsing/read-mail.ts';

const schema = z.object({
  /** Fingerprint of the mailbox and the folder. */
  box: z.string(),
  uidValidity: z.string(),
  /** UID of the last mail that was received. */
  uid: z.int().nonnegative(),
  /** Time of the last check of the folder. */
  at: z.iso.datetime(),
});

export type Position = z.infer<typeof schema>;

interface MailboxCounters {
  readonly uidValidity: bigint;
  readonly uidNext: number;
}

/** The position from which a folder is read. */
export type StartPosition =
  | { readonly kind: 'after'; readonly position: Position }
  /** UIDVALIDITY changed: mails since then are read again, and known ones are skipped by their fingerprint. */
  | { readonly kind: 'since'; readonly since: Date; readonly position: Position };

const MARGIN_MS = 2 * 24 * 60 * 60 * 1_000;

export function mailboxFingerprint({ credentials: { imap }, settings: { mailbox } }: EmailAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([imap.host, imap.user, mailbox]))
    .digest('hex')
    .slice(0, 20);
}

/**
 * Returns where to continue in a folder. For a folder that was never read, only mails that arrive from now on, or since
 * the account was added, are new: old mail is not answered. Pure.
 */
export function findStartPosition(
  { uidValidity, uidNext }: MailboxCounters,
  account: EmailAccount,
  { cursor, now }: { readonly cursor: Json | null; readonly now: Date },
): StartPosition {
  const stored = [cursor, account.profile.position].flatMap((value) => {
    const { data } = schema.safeParse(value);
    return data?.box === mailboxFingerprint(account) ? [data] : [];
  })[0];
  const at = now.toISOString();
  const fresh = {
    box: mailboxFingerprint(account),
    uidValidity: String(uidValidity),
    uid: Math.max(0, uidNext - 1),
    at,
  };
  if (stored === undefined) return { kind: 'after', position: fresh };
  if (stored.uidValidity === fresh.uidValidity) return { kind: 'after', position: stored };
  const since = new Date(Date.parse(stored.at) - MARGIN_MS);
  return { kind: 'since', since, position: fresh };
}

type FetchedMessage = Pick<FetchMessageObject, 'uid' | 'internalDate' | 'envelope'>;

interface OrderedMessage<Message> {
  readonly message: Message;
  /** After this message, all mails up to this UID have been received. */
  readonly place: number;
}

/**
 * Sorts new mails by their time of arrival, which is not always the order of their UIDs: some servers number mails that
 * arrived while no client was connected in the order of their files. INTERNALDATE has whole seconds, so within a second a
 * reply is put after the mail that it replies to. Pure.
 */
export function orderByArrival<Message extends FetchedMessage>(
  messages: readonly Message[],
): readonly OrderedMessage<Message>[] {
  const sorted = repliesAfterOriginals(
    messages.toSorted((one, other) => arrivalTime(one) - arrivalTime(other) || one.uid - other.uid),
  );
  const placed: OrderedMessage<Message>[] = [];
  let place = sorted.reduce((most, { uid }) => Math.max(most, uid), 0);
  for (const message of sorted.toReversed()) {
    placed.push({ message, place });
    place = Math.min(place, message.uid - 1);
  }
  return placed.reverse();
}

function repliesAfterOriginals<Message extends FetchedMessage>(
  messages: readonly Message[],
): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.envelope?.messageId, message]));
  const ordered = new Set<Message>();
  const put = (message: Message, through: ReadonlySet<Message>): void => {
    const answered = byId.get(message.envelope?.inReplyTo ?? '');
    if (answered !== undefined && !ordered.has(answered) && !through.has(answered)) {
      put(answered, new Set([...through, answered]));
    }
    ordered.add(message);
  };
  for (const message of messages) if (!ordered.has(message)) put(message, new Set([message]));
  return [...ordered];
}

function arrivalTime(message: FetchedMessage): number {
  return receivedDate(message).getTime();
}

/** Limit of the text of a mail that is not fetched whole. */
const MAX_TEXT_BYTES = 200_000;
/** A mail below this size has no text with too many lines, so its structure is not requested. */
const SMALL_BYTES = 200_000;

interface Reading {
  readonly uidValidity: string;
  readonly maxBytes: number;
  readonly tools: Pick<Tools, 'runInThread' | 'log'>;
}

/** Fetches and parses a mail. Returns null if it is no longer in the folder. */
export async function fetchMail(
  client: ImapFlow,
  message: FetchMessageObject,
  { uidValidity, maxBytes, tools }: Reading,
): Promise<UnthreadedMail | null> {
  const { uid, size = 0 } = message;
  const isCut = size > maxBytes || (size > SMALL_BYTES && (await hasLongText(client, uid)));
  const receivedAt = receivedDate(message).toISOString();
  const place = { uid, uidValidity, receivedAt, bytes: size, isCut };
  const raw = isCut ? await fetchText(client, place) : await fetchWhole(client, place);
  return raw === null ? null : readMail(raw, tools);
}

type MailLocation = Omit<RawMail, 'source'>;

async function fetchWhole(client: ImapFlow, place: MailLocation): Promise<RawMail | null> {
  const found = await client.fetchOne(String(place.uid), { source: true }, { uid: true });
  return !found || found.source === undefined ? null : { ...place, source: found.source };
}

/** Whether a text of the mail has more lines than the parser can process in time. */
async function hasLongText(client: ImapFlow, uid: number): Promise<boolean> {
  const found = await client.fetchOne(String(uid), { bodyStructure: true }, { uid: true });
  if (!found) return false;
  return leafParts(found.bodyStructure).some(({ lineCount = 0 }) => lineCount > MAX_LINES);
}

/** Fetches the headers and the beginning of the first text of a mail. Its files are described by its structure only. */
async function fetchText(client: ImapFlow, place: MailLocation): Promise<RawMail | null> {
  const uid = String(place.uid);
  const found = await client.fetchOne(uid, { headers: true, bodyStructure: true }, { uid: true });
  if (!found || found.headers === undefined) return null;
  const leaves = leafParts(found.bodyStructure);
  const text = leaves.find(isText('text/plain')) ?? leaves.find(isText('text/html'));
  const files = leaves.filter((leaf) => leaf !== text).map(toFile);
  const raw = { ...place, source: found.headers, files };
  if (text === undefined) return raw;
  const key = text.part ?? '1';
  const beginning = { bodyParts: [{ key, start: 0, maxLength: MAX_TEXT_BYTES }] };
  const words = await client.fetchOne(uid, beginning, { uid: true });
  if (!words) return null;
  const [body = Buffer.alloc(0)] = words.bodyParts?.values() ?? [];
  return { ...raw, text: Buffer.concat([headOf(text), firstLines(body)]) };
}

/**
 * Builds the headers of a part from the server's structure. Values are restricted, so that none can inject a header.
 */
function headOf({ type, encoding, parameters = {} }: MessageStructureObject): Buffer {
  const parameterText = ['charset', 'format', 'delsp'].flatMap((name) => {
    const value = parameters[name];
    return value !== undefined && /^[\w.:+-]{1,40}$/.test(value) ? [`; ${name}="${value}"`] : [];
  });
  const kind = type === 'text/html' ? type : 'text/plain';
  const coding = /^[\w-]{1,40}$/.test(encoding ?? '') ? encoding : '7bit';
  return Buffer.from(
    `Content-Type: ${kind}${parameterText.join('')}\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n`,
    'latin1',
  );
}

function firstLines(body: Buffer): Buffer {
  let end = -1;
  for (let line = 0; line < MAX_LINES; line += 1) {
    end = body.indexOf('\n', end + 1);
    if (end < 0) return body;
  }
  return body.subarray(0, end);
}

function leafParts(node: MessageStructureObject | undefined): readonly MessageStructureObject[] {
  if (node === undefined) return [];
  return node.childNodes === undefined ? [node] : node.childNodes.flatMap(leafParts);
}

function isText(type: string) {
  return (leaf: MessageStructureObject) => leaf.type === type && leaf.disposition !== 'attachment';
}

function toFile({
  type,
  size,
  part,
  parameters,
  dispositionParameters,
  disposition,
  id,
}: MessageStructureObject) {
  const name = dispositionParameters?.filename ?? parameters?.name ?? null;
  const embedded = disposition === 'inline' || (id !== undefined && disposition !== 'attachment');
  return { name, type, bytes: size ?? null, part: `p${part ?? '1'}`, embedded };
}

/** Time of arrival at the last server; 1970 if the server reports none. */
function receivedDate({ internalDate: date }: Pick<FetchMessageObject, 'internalDate'>): Date {
  const read = new Date(date ?? Number.NaN);
  return Number.isNaN(read.getTime()) ? new Date(0) : read;
}
