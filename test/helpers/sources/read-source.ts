import { FetchError, type GuardedResponse, guardedFetch } from '../../../core/base/http-client.ts';
import type { Json } from '../../../core/contract/account.ts';
import { noPageMemory } from '../../../core/sources/page-memory.ts';
import {
  type BlockRule,
  ItemError,
  type KnownItem,
  type ListedItem,
  type PageMemory,
  type PageText,
  type PageTree,
  type ReadResult,
  type SkippedItem,
  type SourceReader,
  type SourceTools,
} from '../../../core/sources/source-reader.ts';
import { SiteSession } from '../../../core/sources/website/requests/site-session.ts';
import { connectorTools } from '../platforms/connector-tools.ts';

/** The outcome of an item in a run: `current` if its version tells that it need not be read. */
export type Outcome =
  | ReadResult
  | { readonly kind: 'current' }
  | { readonly kind: 'failed'; readonly error: ItemError };

export interface SourceRun {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly leftOut: readonly SkippedItem[];
}

interface Stored {
  readonly version: string | undefined;
  readonly validators: Json | null;
  readonly depth: number;
}

/** The memory that earlier runs of a source left behind. */
export class SourceMemory {
  readonly items = new Map<string, Stored>();
}

/** Reads a source to its end, as a run does without a database: what is known, what is listed and what is found. */
export async function readSource(reader: SourceReader, memory = new SourceMemory()): Promise<SourceRun> {
  const { items, leftOut } = await listSource(reader);
  const waiting = new Map(items.map((item) => [item.key, item]));
  for (const [key, { depth }] of memory.items) if (!waiting.has(key)) waiting.set(key, { key, depth });
  const outcomes = new Map<string, Outcome>();
  for (const [key, item] of waiting) {
    const known = memory.items.get(key);
    const isCurrent = item.version !== undefined && item.version === known?.version;
    const outcome = isCurrent ? ({ kind: 'current' } as const) : await readItem(reader, toKnown(item, known));
    outcomes.set(key, outcome);
    memory.items.set(key, {
      version: item.version,
      depth: item.depth ?? 0,
      validators: outcome.kind === 'content' ? (outcome.validators ?? null) : (known?.validators ?? null),
    });
    for (const found of foundBy(outcome)) if (!waiting.has(found.key)) waiting.set(found.key, found);
  }
  return { outcomes, leftOut };
}

/** Lists a source to the end of its list. */
export async function listSource(reader: SourceReader) {
  const items: ListedItem[] = [];
  const leftOut: SkippedItem[] = [];
  let isCut = false;
  let cursor: Json | null = null;
  do {
    const page = await reader.list(cursor);
    items.push(...page.items);
    leftOut.push(...(page.leftOut ?? []));
    isCut ||= page.isCut === true;
    // Another process would get it as JSON.
    cursor = JSON.parse(JSON.stringify(page.next));
  } while (cursor !== null);
  return { items, leftOut, isCut };
}

function toKnown(item: ListedItem, known: Stored | undefined): KnownItem {
  return { ...item, validators: known?.validators ?? null };
}

async function readItem(reader: SourceReader, item: KnownItem): Promise<Outcome> {
  try {
    return await reader.read(item);
  } catch (error) {
    if (error instanceof ItemError) return { kind: 'failed', error };
    throw error;
  }
}

function foundBy(outcome: Outcome): readonly ListedItem[] {
  if (outcome.kind === 'moved') return [outcome.to];
  return outcome.kind === 'content' || outcome.kind === 'skipped' ? (outcome.found ?? []) : [];
}

/** Remembers pages as the table `source_page` does. `waiting` are the keys that are read next. */
export function pageMemory(waiting: readonly string[] = []): PageMemory & {
  readonly read: Set<string>;
  readonly trees: Map<string, PageTree>;
  readonly rules: BlockRule[];
} {
  const pages = new Map<string, PageText>();
  const read = new Set<string>();
  const trees = new Map<string, PageTree>();
  const rules: BlockRule[] = [];
  return {
    read,
    trees,
    rules,
    loadSample: async () =>
      [...pages.values()].flatMap(({ key, blocks }) => (blocks == null ? [] : [{ key, blocks }])),
    loadRules: async () => rules,
    dropTree: async (key) => void trees.delete(key),
    listAhead: async (limit) => waiting.filter((key) => !read.has(key)).slice(0, limit),
    findCopies: async ({ key, textHash }) => {
      const copies = [...pages.values()].filter((page) => page.key !== key && page.textHash === textHash);
      const document = copies.find(({ copyOf }) => copyOf === null);
      return { pages: copies.length, document: document === undefined ? null : { key: document.key } };
    },
    store: async (page) => {
      const { key, fetched } = page;
      read.add(key);
      pages.set(key, { ...pages.get(key), ...page });
      if (fetched?.tree) trees.set(key, fetched.tree);
      return trees.has(key);
    },
    removeFromSample: async (keys) => {
      for (const page of pages.values())
        if (keys.includes(page.key)) pages.set(page.key, { ...page, blocks: null });
    },
  };
}

interface ToolOptions {
  /** Host and port of the site that stands for a public one. */
  readonly host: string;
  readonly now?: Date;
  readonly isWanted?: (address: string) => boolean;
  readonly memory?: PageMemory;
}

/** Tools whose clock moves only by waiting. `asked` are the addresses that were requested. */
export function sourceTools({
  host,
  now = new Date('2026-11-26T12:00:00Z'),
  isWanted = () => true,
  memory = noPageMemory,
}: ToolOptions) {
  let time = now.getTime();
  const asked: string[] = [];
  const waits: number[] = [];
  const { runInThread } = connectorTools();
  const tools: SourceTools = {
    workspaceId: 'ws_test',
    runInThread,
    now: () => new Date(time),
    wait: async (ms) => {
      waits.push(ms);
      time += ms;
    },
    signal: new AbortController().signal,
    isWanted,
    memory,
    session: new SiteSession(),
    render: null,
    fetch: async (address, request): Promise<GuardedResponse> => {
      asked.push(address);
      // The server holds such a request for ever: the client's limit need not pass.
      const timeoutMs = address.includes('/slow/') ? 50 : request.timeoutMs;
      return guardedFetch(address, { ...request, timeoutMs, allowPrivate: new URL(address).host === host });
    },
  };
  return { tools, asked, waits };
}

export interface RecordedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A failure of the request, a response, or responses one after the other. */
export type RecordedAnswer =
  | { readonly failure: FetchError['code'] }
  | RecordedResponse
  | readonly RecordedResponse[];

/** Tools that answer from a record of responses by address; any other address is missing. */
export function recordedTools(
  answers: Readonly<Record<string, RecordedAnswer>>,
  options: Omit<ToolOptions, 'host'> = {},
) {
  const { tools, ...seen } = sourceTools({ ...options, host: '' });
  const headers: Readonly<Record<string, string>>[] = [];
  const counts = new Map<string, number>();
  const fetch: SourceTools['fetch'] = async (address, request) => {
    seen.asked.push(address);
    headers.push(request.headers ?? {});
    const count = counts.get(address) ?? 0;
    counts.set(address, count + 1);
    const recorded = answers[address] ?? { status: 404 };
    const answer = isSequence(recorded) ? (recorded[count] ?? {}) : recorded;
    if ('failure' in answer) throw new FetchError(answer.failure, `${address} failed.`);
    const bytes = Buffer.from(answer.body ?? '');
    const sent = new Headers({ 'content-type': 'text/html', ...answer.headers });
    return { url: address, status: answer.status ?? 200, headers: sent, bytes };
  };
  return { tools: { ...tools, fetch }, headers, ...seen };
}

function isSequence(answer: RecordedAnswer): answer is readonly RecordedResponse[] {
  return Array.isArray(answer);
}
