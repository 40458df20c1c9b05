import { z } from 'zod';
import { ThreadError } from '../../../contract/threads.ts';
import { ItemError, type SourceTools } from '../../source-reader.ts';
import type { SiteAnswer } from '../requests/site-client.ts';

const worker = new URL('./site-list-thread.ts', import.meta.url);
/** A list of 50 MB takes up to two seconds, and the caller's thread is held for some 40 ms. */
const TIMEOUT_MS = 30_000;

/** The sitemap protocol's own limits of a file. */
export const MAX_LIST_BYTES = 52_428_800;
export const MAX_LISTED = 50_000;

const entrySchema = z.object({
  /** As written; it may be relative. */
  address: z.string(),
  title: z.string().optional(),
  /** The time of the last change, as written. */
  changed: z.string().optional(),
});

export type SiteListEntry = z.output<typeof entrySchema>;

const listSchema = z.object({
  kind: z.enum(['sitemap', 'index', 'feed', 'links']),
  entries: z.array(entrySchema).readonly(),
  /** The file ends early, or has more entries than are read. */
  isCut: z.boolean(),
});

/** A sitemap, an index of sitemaps, a feed, or a list of links (`llms.txt`, a sitemap in plain text). */
export type SiteList = z.output<typeof listSchema>;

export interface SiteListRequest {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** How a text without XML is read: as links in Markdown, or as an address in each line. */
  readonly textAs: 'links' | 'addresses' | null;
}

const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), list: listSchema.nullable() }),
  /** The compressed file is damaged or expands to too much. */
  z.object({ kind: z.literal('unreadable') }),
]);

export type SiteListReply = z.output<typeof replySchema>;

/**
 * Reads an answer as a sitemap, feed or list of links, also compressed with gzip, in a thread: a file of 50 MB takes
 * seconds. Returns null for a page and for any other content. Throws an ItemError if the file is damaged, expands to more
 * than 50 MB, or takes too much time or memory.
 */
export async function readSiteList(
  { response, address }: SiteAnswer,
  { runInThread }: Pick<SourceTools, 'runInThread'>,
): Promise<SiteList | null> {
  const contentType = response.headers.get('content-type');
  if (/^text\/html|^application\/xhtml/i.test(contentType ?? '')) return null;
  const isText = /^text\/(?:plain|markdown)|^application\/octet-stream/i.test(contentType ?? '');
  const isLinks = /\/llms(?:-[\w-]+)?\.txt$/i.test(new URL(address).pathname);
  const textAs = isText ? (isLinks ? 'links' : 'addresses') : null;
  const input: SiteListRequest = { bytes: response.bytes, contentType, textAs };
  try {
    const reply = replySchema.parse(await runInThread({ worker, input, timeoutMs: TIMEOUT_MS }));
    if (reply.kind === 'list') return reply.list;
  } catch (error) {
    if (!(error instanceof ThreadError) || error.fault === 'unavailable') throw error;
    throw unreadable(error);
  }
  throw unreadable();
}

function unreadable(cause?: ThreadError): ItemError {
  const reason =
    'The sitemap is damaged, expands to more than 50 MB, or takes too much time or memory to read.';
  return new ItemError('sitemap_unreadable', reason, { cause });
}

const LINK = /\[([^[\]\n]{0,300})\]\(([^()\s]{1,1000})\)/g;

/** Reads the links of `llms.txt`, or of any Markdown. */
export function parseMarkdownLinks(text: string, most = MAX_LISTED): SiteList {
  const entries: SiteListEntry[] = [];
  for (const [, title = '', address = ''] of text.matchAll(LINK)) {
    if (entries.length >= most) return { kind: 'links', entries, isCut: true };
    entries.push({ address, ...(title.trim() === '' ? {} : { title: title.trim() }) });
  }
  return { kind: 'links', entries, isCut: false };
}

const DAY_MS = 86_400_000;

/**
 * Returns the time of the last change as a version, or null if it cannot distinguish two changes: a date of today or
 * yesterday without a time, and times in the future.
 */
export function stableVersion(changed: string | undefined, now: Date): string | null {
  const time = Date.parse(changed ?? '');
  if (changed === undefined || Number.isNaN(time) || time > now.getTime()) return null;
  const hasTime = /T\d\d:\d\d/.test(changed);
  return hasTime || now.getTime() - time > 2 * DAY_MS ? changed : null;
}
