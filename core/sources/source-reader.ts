import type { z } from 'zod';
import type { GuardedRequest, GuardedResponse } from '../base/http-client.ts';
import type { Json } from '../contract/account.ts';
import type { RunInThread } from '../contract/threads.ts';
import type { SiteSession } from './website/requests/site-session.ts';
import type { CutBlock } from './website/tree/page-ledger.ts';

/** A page, file or article that a source can read. */
export interface ListedItem {
  /**
   * Identifies the item within its source and never changes: a canonical address or the tool's id. It has at most
   * 1,000 characters.
   */
  readonly key: string;
  /** Where visitors find it. */
  readonly url?: string;
  readonly title?: string;
  /**
   * The tool's own version, for example the time of the last change. An item with an unchanged version is not read again,
   * unless the reader says that versions are only claimed.
   */
  readonly version?: string;
  /** The number of links from the start of a website; 0 by default. */
  readonly depth?: number;
  /** How a website with a list names it; absent where links are followed from the start. */
  readonly origin?: ItemOrigin;
  /**
   * The key of the item that it belongs to, such as the page of an attachment. It is listed by a reading of that one, stays
   * as long as that one does not change, and is left out together with it.
   */
  readonly partOf?: string;
}

/**
 * `list`: a sitemap or a feed names it. `feed`: it is a feed that a listed page names. `beyond`: a listed page links to it, and
 * no list names it.
 */
export const itemOrigins = ['list', 'feed', 'beyond'] as const;
export type ItemOrigin = (typeof itemOrigins)[number];

/** A page of the list of a source. */
export interface ListedPage {
  readonly items: readonly ListedItem[];
  /** Continues the list, also in another process; null at its end. */
  readonly next: Json | null;
  /** Items that the list leaves out on purpose, for the report of the run. */
  readonly leftOut?: readonly SkippedItem[];
  /** Items that the list names and that lie outside of the source's scope. */
  readonly outside?: number;
  /** Set if the source has more than the list will name: then nothing counts as missing from it. `leftOut` says why. */
  readonly isCut?: boolean;
  /** Set if the list names only what has changed since `since`: everything else is as it was. */
  readonly isOfChanges?: boolean;
  /** Keys of items that do not exist any more, in a list of changes. */
  readonly gone?: readonly string[];
  /** The place where the changes after the list begin. The last page of a list has it. */
  readonly feed?: Json;
}

export interface SkippedItem {
  readonly key: string;
  readonly url?: string;
  readonly code: string;
  /** A sentence for the person who set the source up. */
  readonly reason: string;
  readonly partOf?: string;
}

/** An item with the data of its last successful reading. */
export interface KnownItem extends ListedItem {
  /**
   * The validators as the reader returned them: for example `ETag` and `Last-Modified`. Null before the first
   * reading.
   */
  readonly validators: Json | null;
}

/** An item that becomes a document, or replaces the earlier one. */
export interface ReadContent {
  readonly kind: 'content';
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName?: string;
  readonly title?: string;
  readonly url?: string;
  /** The tags, if the tool has permissions; otherwise the audience of the source applies. */
  readonly audience?: readonly string[];
  readonly validators?: Json;
  /** Set if the content was compared with the last reading, and differs. */
  readonly differs?: boolean;
  /** Items that this one links to. */
  readonly found?: readonly ListedItem[];
  /** Items that belong to this one, or to the one that it belongs to itself: all that are left. */
  readonly parts?: readonly ListedItem[];
  readonly partsLeftOut?: readonly SkippedItem[];
}

export type ReadResult =
  | ReadContent
  /** The item is unchanged since its last reading. */
  | { readonly kind: 'unchanged' }
  /** The item is left out on purpose, for example by `noindex`. An earlier document of it is removed at once. */
  | {
      readonly kind: 'skipped';
      readonly code: string;
      readonly reason: string;
      readonly found?: readonly ListedItem[];
    }
  /** The item is now another one: a redirect or a canonical address. That one takes over the document of this key. */
  | { readonly kind: 'moved'; readonly to: ListedItem }
  /**
   * The item does not exist any more. Its document is removed at the end of the run if that is final (status 410), or
   * if the list of the source does not name it either; otherwise after two runs in a row.
   */
  | { readonly kind: 'gone'; readonly isFinal?: boolean };

/** The item cannot be read now. The run counts it as failed, keeps its document and goes on. */
export class ItemError extends Error {
  readonly code: string;
  /** The validators for the next reading, so that it need not find out the same again. */
  readonly validators: Json | undefined;

  /** `message` is a sentence for the person who set the source up, and says what to do. */
  constructor(
    code: string,
    message: string,
    { validators, ...options }: ErrorOptions & { readonly validators?: Json } = {},
  ) {
    super(message, options);
    this.name = 'ItemError';
    this.code = code;
    this.validators = validators;
  }
}

/** The whole source cannot be read: wrong credentials, a missing start page. The run fails and removes nothing. */
export class SourceError extends Error {
  readonly code: string;
  /** Set if the same run may go on after this time: the tool limits its requests or is down. */
  readonly retryAfterMs: number | undefined;

  /** `message` contains the tool's own words, if there are any. */
  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** How many of the pages that were looked at have a block. */
export interface PageCount {
  readonly having: number;
  readonly looked: number;
}

/** A block of a page as plain text, and whether it is in the document. */
export interface LedgerBlock extends Omit<CutBlock, 'template'> {
  /** The counts of a block that recurs on the site; null for others. */
  readonly pages: PageCount | null;
}

/** Cuts stored pages of a source, without a request. */
export interface PageCutter {
  /** Names everything that decides how a page is cut. */
  versionFor(key: string): Promise<string>;
  /** Throws an ItemError. */
  cut(item: KnownItem, tree: Uint8Array): Promise<ReadResult>;
  /** Returns all blocks of a page by what is known now. Throws an ItemError. */
  ledger(item: KnownItem, tree: Uint8Array): Promise<readonly LedgerBlock[]>;
}

/** Reads a source. It keeps nothing between two calls that the next process could not do without. */
export interface SourceReader {
  /** Set if a complete list names every item: an item that is missing from it is gone. Otherwise only `read` tells. */
  readonly isComplete: boolean;
  /**
   * Set if versions are the claims of a website about its pages (`lastmod`), and may be wrong: each item is read
   * within a week, and if one has changed under its old version, every item at each run.
   */
  readonly hasClaimedVersions?: boolean;
  /** Set if reading an item that a complete list does not name shows whether it still exists. */
  readonly confirmsMissing?: boolean;
  /** The pattern of the paths that are read, if that is not all of them. */
  readonly scope?: string | null;
  /**
   * Asks for what `read` needs of an item, so that the answers of several items are waited for at a time. The answer is kept for
   * `read`, with any error.
   */
  ahead?(item: KnownItem): Promise<void>;
  /** The cutter of kinds whose pages are stored as they were fetched. */
  readonly cutter?: PageCutter;
  /** Set if the reader keeps what a page of the list says of its items: they are best read before the next page. */
  readonly holdsListed?: boolean;
  /**
   * `cursor` is null at the beginning of a run. `since` is the `feed` of the last run, from which on changes are wanted.
   * Throws a SourceError, with the code `feed_expired` if the tool does not know that place any more.
   */
  list(cursor: Json | null, since?: Json | null): Promise<ListedPage>;
  /** Throws an ItemError or a SourceError. */
  read(item: KnownItem): Promise<ReadResult>;
}

/** The hashes of the blocks of a page. */
export interface PageBlocks {
  readonly key: string;
  readonly blocks: readonly string[];
}

/** The text of a page after the blocks of its site were cut. */
export interface PageText {
  readonly key: string;
  readonly textHash: string;
  /** Set while the page is in the sample of its source. Absent: it stays as it is. */
  readonly blocks?: readonly string[] | null;
  /** The key of the item with the same text, which is the document. */
  readonly copyOf: string | null;
  /** The tree and what cut it. Absent if a stored page is cut anew. */
  readonly fetched?: { readonly tree: PageTree | null; readonly cutVersion: string };
}

/** A page as it was fetched, before anything is cut: the compressed HTML of its tree and the hash of that. */
export interface PageTree {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A person's decision about a block of one page, or of all pages (`key` null). */
export interface BlockRule {
  readonly key: string | null;
  readonly block: string;
  readonly action: 'keep' | 'cut';
}

/** Other pages of a source with the same text. */
export interface Copies {
  readonly pages: number;
  /** The item that is a document, unless there is none. */
  readonly document: Pick<ListedItem, 'key' | 'url' | 'title'> | null;
}

/** The texts of all pages of a source: a single page cannot tell which of its parts recur. */
export interface PageMemory {
  loadSample(): Promise<readonly PageBlocks[]>;
  /** Returns the keys of the items that the run reads next; the current one is the first. */
  listAhead(limit: number): Promise<readonly string[]>;
  findCopies(page: Pick<PageText, 'key' | 'textHash'>): Promise<Copies>;
  /** Returns whether its tree is stored, so that the page can be cut anew without a request. */
  store(page: PageText): Promise<boolean>;
  loadRules(): Promise<readonly BlockRule[]>;
  /** Forgets the tree of a page whose document was not cut from it. */
  dropTree(key: string): Promise<void>;
  /** Takes pages out of the sample. */
  removeFromSample(keys: readonly string[]): Promise<void>;
}

export interface SourceTools {
  /** The workspace of the source. */
  readonly workspaceId: string;
  /** Refuses private addresses unless the installation allows them. Throws a FetchError. */
  readonly fetch: (address: string, request: GuardedRequest) => Promise<GuardedResponse>;
  /** Runs work that an item can make expensive. Observes `signal`. */
  readonly runInThread: RunInThread;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Whether an address may be read by the patterns of the source. */
  readonly isWanted: (address: string) => boolean;
  readonly memory: PageMemory;
  readonly session: SiteSession;
  /** Draws a page in a browser; null if the installation has none. Throws an ItemError. */
  readonly render: ((address: string) => Promise<GuardedResponse>) | null;
}

/** A kind of source, as the registry in `source-kinds.ts` lists it. */
export interface SourceKind<Settings, Credentials> {
  readonly kind: string;
  /** The settings that the API takes and the dashboard shows, each described. */
  readonly settings: z.ZodType<Settings>;
  readonly credentials: z.ZodType<Credentials>;
  /** Set if this installation cannot offer the kind: a sentence that says what to do. */
  readonly unavailable?: string | undefined;
  open(
    values: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ): SourceReader;
}
