import { buffer } from 'node:stream/consumers';
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import { htmlText } from './html-text.ts';
import { internalDate } from './internal-date.ts';
import type { UnthreadedMail } from './mail.ts';
import { parseMail } from './parse-mail.ts';

/** Of a mail that is too large as a whole. */
const MAX_TEXT_BYTES = 500_000;

/** Null where it is gone from the folder by now. */
export async function fetchMail(
  client: ImapFlow,
  message: FetchMessageObject,
  { uidValidity, maxBytes }: { readonly uidValidity: string; readonly maxBytes: number },
): Promise<UnthreadedMail | null> {
  const { uid, size = 0 } = message;
  const isCut = size > maxBytes;
  const receivedAt = internalDate(message).toISOString();
  const place = { uid, uidValidity, receivedAt, bytes: size, isCut };
  if (isCut) return fetchText(client, place);
  const found = await client.fetchOne(String(uid), { source: true }, { uid: true });
  return !found || found.source === undefined ? null : parseMail({ ...place, source: found.source });
}

type Place = Pick<UnthreadedMail, 'uid' | 'uidValidity' | 'receivedAt' | 'bytes' | 'isCut'>;

/** Headers and the first text of a mail; of the rest what its structure tells. */
async function fetchText(client: ImapFlow, place: Place): Promise<UnthreadedMail | null> {
  const found = await client.fetchOne(
    String(place.uid),
    { headers: true, bodyStructure: true },
    { uid: true },
  );
  if (!found || found.headers === undefined) return null;
  const leaves = leavesOf(found.bodyStructure);
  const text = leaves.find(isText('text/plain')) ?? leaves.find(isText('text/html'));
  const files = leaves.filter((leaf) => leaf !== text).map(fileOf);
  const mail = await parseMail({ ...place, source: found.headers, files });
  if (text === undefined) return mail;
  const { content } = await client.download(String(place.uid), text.part ?? '1', {
    uid: true,
    maxBytes: MAX_TEXT_BYTES,
  });
  const words = content === undefined ? '' : new TextDecoder().decode(await buffer(content));
  return { ...mail, text: text.type === 'text/html' ? htmlText(words) : words, html: '' };
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
