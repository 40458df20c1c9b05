import { z } from 'zod';
import { ThreadError } from '../../contract/threads.ts';
import { DocumentError, type DocumentErrorCode } from '../../knowledge/documents/document-error.ts';
import { ItemError, type SourceTools } from '../source-reader.ts';
import { normaliseAddress } from './address.ts';
import { parseRobotsTag } from './requests/robots.ts';
import { describeLargePage, MAX_PAGE_BYTES, type SiteAnswer } from './requests/site-client.ts';
import { NO_TEMPLATE, type TemplateCut } from './template/cut-template.ts';

const worker = new URL('./page-thread.ts', import.meta.url);
/** The largest page takes some 3 seconds; the thread of the caller is held for a tenth of one. */
const TIMEOUT_MS = 30_000;

const pageSchema = z.object({
  /** The page without menus and the like, as HTML for the loader. */
  content: z.string(),
  /** The beginning of the text in it. */
  text: z.string(),
  title: z.string().nullable(),
  canonical: z.string().nullable(),
  directives: z.object({ noIndex: z.boolean(), noFollow: z.boolean() }),
  /** Target of an immediate `<meta http-equiv="refresh">`. */
  refresh: z.string().nullable(),
  /** The same page as Markdown. */
  markdown: z.string().nullable(),
  /** Feeds that the page names in its head. */
  feeds: z.array(z.string()).readonly(),
  /** Links that it does not tell robots to leave. */
  links: z.array(z.string()).readonly(),
  /** A script draws the page: it has next to no text, and a place for a script to fill. */
  isDrawnByScript: z.boolean(),
  /** Hashes of its blocks, of the text that is left of it, the number of words in that, and what that says. See `CutPage`. */
  blocks: z.array(z.string()).readonly(),
  textHash: z.string(),
  words: z.int(),
  hasHeading: z.boolean(),
  isEmpty: z.boolean(),
});

/** A page as it describes itself. All addresses are normalised. */
export type Page = z.output<typeof pageSchema>;

export interface PageRequest {
  readonly bytes: Uint8Array;
  /** Where the page was found. */
  readonly address: string;
  readonly contentType: string | null;
  /** The language that the headers name. */
  readonly language: string | null;
  /** The blocks of the site, which are cut. */
  readonly cut: TemplateCut;
}

const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), page: pageSchema }),
  z.object({ kind: z.literal('refused'), code: z.string(), reason: z.string() }),
]);

export type PageReply = z.output<typeof replySchema>;

/**
 * Reads an answer as an HTML page, in a thread: a large page takes seconds. Adds what its headers say. Throws an ItemError
 * if the page is too large or too deep, or takes too long.
 */
export async function readPage(
  { response, address }: SiteAnswer,
  { runInThread }: Pick<SourceTools, 'runInThread'>,
  cut: TemplateCut = NO_TEMPLATE,
): Promise<Page> {
  const { bytes, headers } = response;
  if (bytes.byteLength > MAX_PAGE_BYTES) throw new ItemError('too_large', describeLargePage(address));
  const input: PageRequest = {
    ...{ bytes, address, contentType: headers.get('content-type') },
    language: headers.get('content-language')?.split(',', 1)[0]?.trim() ?? null,
    cut,
  };
  try {
    const reply = replySchema.parse(await runInThread({ worker, input, timeoutMs: TIMEOUT_MS }));
    if (reply.kind === 'refused') throw new ItemError(reply.code, reply.reason);
    const { page } = reply;
    const tag = parseRobotsTag(headers.get('x-robots-tag'));
    return {
      ...page,
      canonical: page.canonical ?? parseCanonicalHeader(headers.get('link'), address),
      directives: {
        noIndex: page.directives.noIndex || tag.noIndex,
        noFollow: page.directives.noFollow || tag.noFollow,
      },
    };
  } catch (error) {
    const code = error instanceof ThreadError ? faultCodes[error.fault] : null;
    if (code === null) throw error;
    const { reason } = new DocumentError(code, `${TIMEOUT_MS / 1_000} s`);
    throw new ItemError(code, reason, { cause: error });
  }
}

/** Null: the page is not the cause. */
const faultCodes: Readonly<Record<ThreadError['fault'], DocumentErrorCode | null>> = {
  timed_out: 'reading_timed_out',
  out_of_memory: 'out_of_memory',
  crashed: 'reading_failed',
  unavailable: null,
};

/** Reads the canonical address of a `Link` header. */
export function parseCanonicalHeader(header: string | null, address: string): string | null {
  for (const part of (header ?? '').slice(0, 4_000).split(',')) {
    const [target = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const isCanonical = parameters.some((parameter) => /^rel="?canonical"?$/i.test(parameter));
    if (isCanonical && target.startsWith('<')) return normaliseAddress(target.replace(/^<|>$/g, ''), address);
  }
  return null;
}
