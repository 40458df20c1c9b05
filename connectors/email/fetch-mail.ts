import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import type { Tools } from '../../core/contract/account.ts';
import { internalDate } from './internal-date.ts';
import type { UnthreadedMail } from './mail.ts';
import { MAX_LINES, type RawMail } from './parse-mail.ts';
import { readMail } from './read-mail.ts';

/** Of the text of a mail that is not fetched as a whole. */
const MAX_TEXT_BYTES = 200_000;
/** Of a smaller mail no text has so many lines that they matter. */
const SMALL_BYTES = 200_000;

interface Reading {
  readonly uidValidity: string;
  readonly maxBytes: number;
  readonly tools: Pick<Tools, 'runInThread' | 'log'>;
}

/** Null where it is gone from the folder by now. */
export async function fetchMail(
  client: ImapFlow,
  message: FetchMessageObject,
  { uidValidity, maxBytes, tools }: Reading,
): Promise<UnthreadedMail | null> {
  const { uid, size = 0 } = message;
  const isCut = size > maxBytes || (size > SMALL_BYTES && (await hasLongText(client, uid)));
  const receivedAt = internalDate(message).toISOString();
  const place = { uid, uidValidity, receivedAt, bytes: size, isCut };
  const raw = isCut ? await fetchText(client, place) : await fetchWhole(client, place);
  return raw === null ? null : readMail(raw, tools);
}

type Place = Omit<RawMail, 'source'>;

async function fetchWhole(client: ImapFlow, place: Place): Promise<RawMail | null> {
  const found = await client.fetchOne(String(place.uid), { source: true }, { uid: true });
  return !found || found.source === undefined ? null : { ...place, source: found.source };
}

/** Whether the mail has a text of more lines than a parser can be expected to take. */
async function hasLongText(client: ImapFlow, uid: number): Promise<boolean> {
  const found = await client.fetchOne(String(uid), { bodyStructure: true }, { uid: true });
  if (!found) return false;
  return leavesOf(found.bodyStructure).some(({ lineCount = 0 }) => lineCount > MAX_LINES);
}

/** Headers and the beginning of the first text of a mail; of the rest what its structure tells. */
async function fetchText(client: ImapFlow, place: Place): Promise<RawMail | null> {
  const uid = String(place.uid);
  const found = await client.fetchOne(uid, { headers: true, bodyStructure: true }, { uid: true });
  if (!found || found.headers === undefined) return null;
  const leaves = leavesOf(found.bodyStructure);
  const text = leaves.find(isText('text/plain')) ?? leaves.find(isText('text/html'));
  const files = leaves.filter((leaf) => leaf !== text).map(fileOf);
  const raw = { ...place, source: found.headers, files };
  if (text === undefined) return raw;
  const key = text.part ?? '1';
  const beginning = { bodyParts: [{ key, start: 0, maxLength: MAX_TEXT_BYTES }] };
  const words = await client.fetchOne(uid, beginning, { uid: true });
  if (!words) return null;
  const [body = Buffer.alloc(0)] = words.bodyParts?.values() ?? [];
  return { ...raw, text: Buffer.concat([headOf(text), firstLines(body)]) };
}

/** What a parser needs to know of a part: as the server told it, and nothing that could be another header. */
function headOf({ type, encoding, parameters = {} }: MessageStructureObject): Buffer {
  const told = ['charset', 'format', 'delsp'].flatMap((name) => {
    const value = parameters[name];
    return value !== undefined && /^[\w.:+-]{1,40}$/.test(value) ? [`; ${name}="${value}"`] : [];
  });
  const kind = type === 'text/html' ? type : 'text/plain';
  const coding = /^[\w-]{1,40}$/.test(encoding ?? '') ? encoding : '7bit';
  return Buffer.from(
    `Content-Type: ${kind}${told.join('')}\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n`,
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

function leavesOf(node: MessageStructureObject | undefined): readonly MessageStructureObject[] {
  if (node === undefined) return [];
  return node.childNodes === undefined ? [node] : node.childNodes.flatMap(leavesOf);
}

function isText(type: string) {
  return (leaf: MessageStructureObject) => leaf.type === type && leaf.disposition !== 'attachment';
}

function fileOf({
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
