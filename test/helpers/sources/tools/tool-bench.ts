import type { GuardedRequest, GuardedResponse } from '../../../../core/base/http-client.ts';
import type { Json } from '../../../../core/contract/account.ts';
import { noPageMemory } from '../../../../core/sources/page-memory.ts';
import {
  ItemError,
  type ListedItem,
  type ReadContent,
  type ReadResult,
  type SkippedItem,
  type SourceKind,
  type SourceReader,
} from '../../../../core/sources/source-reader.ts';
import { SiteSession } from '../../../../core/sources/website/requests/site-session.ts';
import { connectorTools } from '../../platforms/connector-tools.ts';

/** A request that a stand-in got. */
export interface ToolCall {
  readonly url: URL;
  /** Parts of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface ToolAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly json?: unknown;
  readonly bytes?: string | Uint8Array;
}

/** The API of a tool in memory. */
export interface ToolStandIn {
  readonly origin: string;
  respond(call: ToolCall): ToolAnswer | Promise<ToolAnswer>;
}

interface Values {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Runs a kind against a stand-in as the engine of runs does: a new reader for each page of the list, cursors as JSON. */
export class ToolBench<Settings, Credentials> {
  readonly calls: ToolCall[] = [];
  readonly waits: number[] = [];
  /** Answers that come before those of the stand-in. */
  readonly next: ToolAnswer[] = [];
  now = new Date('2026-03-01T08:00:00Z');
  readonly #kind: SourceKind<Settings, Credentials>;
  readonly #values: Values;
  readonly #standIns: readonly ToolStandIn[];
  readonly #versions = new Map<string, string | undefined>();

  constructor(kind: SourceKind<Settings, Credentials>, values: Values, ...standIns: readonly ToolStandIn[]) {
    this.#kind = kind;
    this.#values = values;
    this.#standIns = standIns;
  }

  open(): SourceReader {
    const values = {
      settings: this.#kind.settings.parse(this.#values.settings),
      credentials: this.#kind.credentials.parse(this.#values.credentials),
    };
    return this.#kind.open(values, {
      workspaceId: 'ws_test',
      fetch: (address, request) => this.fetch(address, request),
      runInThread: connectorTools().runInThread,
      wait: async (ms) => void this.waits.push(ms),
      now: () => this.now,
      signal: new AbortController().signal,
      isWanted: () => true,
      memory: noPageMemory,
      session: new SiteSession(),
      render: null,
    });
  }

  /** Reads the whole list. */
  async list() {
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    let cursor: Json | null = null;
    let pages = 0;
    do {
      const page = await this.open().list(cursor);
      items.push(...page.items);
      leftOut.push(...(page.leftOut ?? []));
      cursor = page.next === null ? null : JSON.parse(JSON.stringify(page.next));
      pages += 1;
      if (pages > 200) throw new TypeError('the list has no end');
    } while (cursor !== null);
    return { items, leftOut, pages, keys: items.map(({ key }) => key).sort() };
  }

  /** Reads one item. */
  async read(key: string): Promise<ReadResult> {
    const { items } = await this.list();
    const item = items.find((one) => one.key === key) ?? { key };
    return this.open().read({ ...item, validators: null });
  }

  /** Reads one item that becomes a document. */
  async content(key: string): Promise<ReadContent & { readonly text: string }> {
    const result = await this.read(key);
    if (result.kind !== 'content') throw new TypeError(`${key} is ${JSON.stringify(result)}`);
    return { ...result, text: Buffer.from(result.bytes).toString('utf8') };
  }

  /** Lists, reads what has another version than in the run before, and tells what became of each item. */
  async run() {
    const { items, leftOut } = await this.list();
    const outcomes: Record<string, string> = {};
    for (const { key, code } of leftOut) outcomes[key] = code;
    const reader = this.open();
    for (const item of items) {
      const { key, version } = item;
      if (version !== undefined && this.#versions.get(key) === version) outcomes[key] = 'same';
      else outcomes[key] = await this.#outcome(reader, item);
    }
    for (const key of this.#versions.keys()) outcomes[key] ??= 'missing';
    return outcomes;
  }

  async #outcome(reader: SourceReader, item: ListedItem): Promise<string> {
    try {
      const result = await reader.read({ ...item, validators: null });
      if (result.kind === 'content') this.#versions.set(item.key, item.version);
      return result.kind === 'skipped' ? result.code : result.kind;
    } catch (error) {
      if (error instanceof ItemError) return error.code;
      throw error;
    }
  }

  /** Answers as the stand-ins do. */
  async fetch(address: string, request: GuardedRequest): Promise<GuardedResponse> {
    const url = new URL(address);
    const { method = 'GET', headers = {}, body = '' } = request;
    const call: ToolCall = {
      ...{ url, method, query: url.searchParams, headers: new Headers(headers) },
      path: url.pathname.split('/').slice(1).map(decodeURIComponent),
      body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
    };
    this.calls.push(call);
    const standIn = this.#standIns.find(({ origin }) => origin === url.origin);
    if (standIn === undefined) throw new TypeError(`an unexpected request to ${url.origin}`);
    const answer = this.next.shift() ?? (await standIn.respond(call));
    const { status = 200, json, bytes = JSON.stringify(json ?? null) } = answer;
    return {
      ...{ url: url.href, status },
      headers: new Headers({ 'content-type': 'application/json', ...answer.headers }),
      bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    };
  }
}
