import { extname } from 'node:path';
import { decodeOrKeep } from '../../../base/text.ts';
import { isListedDocument, unreadableReason } from '../../../knowledge/loaders/declared-format.ts';
import {
  getAttribute,
  type HtmlParent,
  isElement,
  parseHtml,
} from '../../../knowledge/loaders/html/parse-html.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../knowledge/loaders/loader.ts';
import type { ListedItem, ReadResult, SkippedItem } from '../../source-reader.ts';
import type { Attachment, Refusal } from './declaration.ts';
import type { ToolClient } from './tool-client.ts';

/** More files of one record are left out. */
const MOST_ATTACHMENTS = 100;
export const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

const PREFIX = 'attachment:';

/** The key of an attachment holds that of its record, which is read again before it: it decides who may see the file. */
function attachmentKey(key: string, id: string): string {
  return `${PREFIX}${encodeURIComponent(key.toWellFormed())}:${id}`;
}

/** Returns the key of the record and the id of its attachment. Null for the key of another item. */
export function parseAttachmentKey(key: string): { readonly key: string; readonly id: string } | null {
  if (!key.startsWith(PREFIX)) return null;
  const [owner = '', ...rest] = key.slice(PREFIX.length).split(':');
  try {
    return { key: decodeURIComponent(owner), id: rest.join(':') };
  } catch {
    return null;
  }
}

/** Returns the attachments of a record that become documents, and those that do not with the reason. */
export function judgeAttachments(
  key: string,
  attachments: readonly Attachment[],
): { readonly parts: readonly ListedItem[]; readonly leftOut: readonly SkippedItem[] } {
  const parts: ListedItem[] = [];
  const leftOut: SkippedItem[] = [];
  for (const attachment of attachments.filter((one) => !isDecoration(one))) {
    const { id, name, version, url } = attachment;
    const item = { key: attachmentKey(key, id), partOf: key, ...(url !== undefined && { url }) };
    const refusal = parts.length < MOST_ATTACHMENTS ? refuseFile(attachment) : tooMany;
    if (refusal === null) parts.push({ ...item, title: name, version });
    else leftOut.push({ ...item, ...refusal });
  }
  return { parts, leftOut };
}

const tooMany: Refusal = {
  code: 'too_many_attachments',
  reason: `It has more than ${MOST_ATTACHMENTS} files. The others are left out.`,
};

/** Pictures, films and sounds are parts of a page, and would be most of the report. */
function isDecoration({ name, contentType }: Attachment): boolean {
  if (/^(?:image|video|audio)\//i.test(contentType ?? '')) return true;
  return /^\.(?:png|jpe?g|gif|webp|svg|bmp|ico|tiff?|avif|heic|mp[34]|m4[av]|mov|webm|avi|wav|ogg)$/i.test(
    extname(name),
  );
}

/** Returns why a file does not become a document. */
export function refuseFile({
  name,
  contentType,
  bytes,
}: Pick<Attachment, 'name' | 'contentType' | 'bytes'>): Refusal | null {
  if (!isListedDocument(contentType ?? null, name)) return unreadableReason(name);
  if (bytes === 0) return { code: 'empty', reason: 'The file is empty.' };
  if ((bytes ?? 0) <= maxFileBytes) return null;
  return { code: 'too_large', reason: `The file is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB.` };
}

/** Downloads an attachment. Throws an ItemError, a SourceError or a FetchError. */
export async function readAttachment(client: ToolClient, attachment: Attachment): Promise<ReadResult> {
  const refusal = refuseFile(attachment);
  if (refusal !== null) return { kind: 'skipped', ...refusal };
  const response = await client.download(attachment.address, maxFileBytes);
  if (response === null) return { kind: 'gone' };
  const { bytes } = response;
  if (bytes.byteLength === 0) return { kind: 'skipped', code: 'empty', reason: 'The file is empty.' };
  // Downloads often state a general type, or one of their own.
  const contentType = attachment.contentType ?? response.headers.get('content-type') ?? '';
  return { kind: 'content', bytes, contentType, fileName: attachment.name, title: attachment.name };
}

interface LinkOptions {
  /** That of relative links. */
  readonly base: string;
  /** Whether an address belongs to the tool: a text may link to anything. */
  readonly isOwn: (address: URL) => boolean;
}

/** Returns the files that the HTML of a record links to, where the tool's API does not name them. */
export function findLinkedFiles(html: string, options: LinkOptions): readonly Attachment[] {
  return toFiles(hrefsIn(parseHtml(html, MOST_ELEMENTS)), options);
}

/** The same of Markdown: addresses in it, and paths of uploads. */
export function findFilesInMarkdown(text: string, options: LinkOptions): readonly Attachment[] {
  return toFiles(text.match(/(?:https?:\/\/|\/uploads\/)[^\s()<>"'\]]{1,1000}/g) ?? [], options);
}

function toFiles(links: readonly string[], { base, isOwn }: LinkOptions): readonly Attachment[] {
  const found = new Map<string, Attachment>();
  for (const href of links) {
    const url = URL.parse(href, base);
    if (url === null || !isOwn(url)) continue;
    url.hash = '';
    const name = nameIn(url);
    // Parameters are signatures, which are other ones each time.
    const id = url.host + url.pathname;
    if (extname(name) !== '') found.set(id, { id, name, version: id, address: url.href });
  }
  return [...found.values()];
}

const MOST_ELEMENTS = 200_000;

function hrefsIn(parent: HtmlParent): readonly string[] {
  return parent.childNodes.filter(isElement).flatMap((element) => {
    const href = element.tagName === 'a' ? getAttribute(element, 'href') : null;
    return [...(href === null ? [] : [href]), ...hrefsIn(element)];
  });
}

function nameIn({ pathname }: URL): string {
  return decodeOrKeep(pathname.split('/').at(-1) ?? '');
}
