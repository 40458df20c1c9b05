import { z } from 'zod';
import { ThreadError } from '../../contract/threads.ts';
import { DocumentError, type DocumentErrorCode } from '../../knowledge/documents/document-error.ts';
import { ItemError, type SourceTools } from '../source-reader.ts';
import { normaliseAddress } from './address.ts';
import { parseRobotsTag } from './requests/robots.ts';
import { describeLargePage, MAX_PAGE_BYTES, type SiteAnswer } from './requests/site-client.ts';
import { NO_TEMPLATE, type TemplateCut } from './template/cut-template.ts';
import { type BlockRules, NO_RULES } from './tree/apply-rules.ts';
import { type CutBlock, cutBlockSchema } from './tree/page-ledger.ts';

const worker = new URL('./page-thread.ts', import.meta.url);
/** The largest page takes some 3 seconds; the thread of the caller is held for a tenth of one. */
const TIMEOUT_MS = 30_000;

const cutSchema = z.object({
  /** The page without menus and the like, as HTML for the loader. */
  content: z.string(),
  /** Hashes of its blocks, of the text that is left of it, the number of words in that, and what that says. See `CutPage`. */
  blocks: z.array(z.string()).readonly(),
  textHash: z.string(),
  words: z.int(),
  hasHeading: z.boolean(),
  isEmpty: z.boolean(),
});

const pageSchema = cutSchema.extend({
  /** As it was fetched. Null if it is too large to be stored. */
  tree: z
    .object({ hash: z.string(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) })
    .nullable(),
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
});

/** A page as it describes itself. All addresses are normalised. */
export type Page = z.output<typeof pageSchema>;
export type CutContent = z.output<typeof cutSchema>;

/** Decides how a page is cut. */
export interface Cutting {
  /** The blocks of the site. */
  readonly cut: TemplateCut;
  readonly rules: BlockRules;
}

export interface PageRequest extends Cutting {
  readonly kind: 'page';
  readonly bytes: Uint8Array;
  /** Where the page was found. */
  readonly address: string;
  readonly contentType: string | null;
  /** The language that the headers name. */
  readonly language: string | null;
}

/** A stored page that is cut anew. */
export interface TreeRequest extends Cutting {
  readonly kind: 'tree';
  readonly tree: Uint8Array;
  readonly hasLedger: boolean;
}

const NOTHING_CUT: Cutting = { cut: NO_TEMPLATE, rules: NO_RULES };

const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), page: pageSchema }),
  z.object({ kind: z.literal('cut'), cut: cutSchema, ledger: z.array(cutBlockSchema).readonly() }),
  z.object({ kind: z.literal('refused'), code: z.string(), reason: z.string() }),
]);

export type PageReply = z.output<typeof replySchema>;

/**
 * Reads an answer as an HTML page, in a thread: a large page takes seconds. It adds what the headers of the answer
 * say. Throws an ItemError if the page is too large or too deep, or takes too long.
 */
export async function readPage(
  { response, address }: SiteAnswer,
  { runInThread }: Pick<SourceTools, 'runInThread'>,
  cutting: Cutting = NOTHING_CUT,
): Promise<Page> {
  const { bytes, headers } = response;
  if (bytes.byteLength > MAX_PAGE_BYTES) throw new ItemError('too_large', describeLargePage(address));
  const input: PageRequest = {
    ...{ kind: 'page', bytes, address, contentType: headers.get('content-type') },
    language: headers.get('content-language')?.split(',', 1)[0]?.trim() ?? null,
    ...cutting,
  };
  const reply = await ask(runInThread, input);
  if (reply.kind !== 'page') throw new TypeError('the thread has cut a page that it was to read');
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
}

/** Cuts a stored page anew, and lists its blocks if that is wished. Throws an ItemError as `readPage` does. */
export async function cutStoredPage(
  tree: Uint8Array,
  { runInThread }: Pick<SourceTools, 'runInThread'>,
  { cut, rules, hasLedger = false }: Cutting & { readonly hasLedger?: boolean },
): Promise<{ readonly cut: CutContent; readonly ledger: readonly CutBlock[] }> {
  const input: TreeRequest = { kind: 'tree', tree, cut, rules, hasLedger };
  const reply = await ask(runInThread, input);
  if (reply.kind !== 'cut') throw new TypeError('the thread has read a page that it was to cut');
  return reply;
}

type Answer = Exclude<PageReply, { readonly kind: 'refused' }>;

async function ask(
  runInThread: SourceTools['runInThread'],
  input: PageRequest | TreeRequest,
): Promise<Answer> {
  try {
    const reply = replySchema.parse(await runInThread({ worker, input, timeoutMs: TIMEOUT_MS }));
    if (reply.kind === 'refused') throw new ItemError(reply.code, reply.reason);
    return reply;
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
