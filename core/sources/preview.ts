import type { Fields } from '../base/fields.ts';
import { FetchError } from '../base/http-client.ts';
import { noPageMemory } from './page-memory.ts';
import type { AnySourceKind } from './source-kinds.ts';
import {
  ItemError,
  type ListedItem,
  type ReadResult,
  SourceError,
  type SourceReader,
} from './source-reader.ts';
import { openTools, type ToolParts, withoutSecrets } from './source-tools.ts';

const MOST_ITEMS = 50;
const TIME_MS = 15_000;
/** The maximum that a person looks at; the list of a large source is not read to its end. */
const MOST_LISTED = 1_000;

export const previewOutcomes = ['read', 'skipped', 'failed', 'moved', 'gone', 'not_read'] as const;

interface PreviewItem {
  readonly key: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly outcome: (typeof previewOutcomes)[number];
  readonly code: string | null;
  readonly reason: string | null;
  readonly bytes: number | null;
  readonly contentType: string | null;
}

export interface SourcePreview {
  readonly items: readonly PreviewItem[];
  /** Items that were found so far. */
  readonly listed: number;
  /** Whether the list was read to its end. */
  readonly isWhole: boolean;
  /** Why the source cannot be read. */
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

interface PreviewRequest {
  readonly workspaceId: string;
  readonly kind: AnySourceKind;
  readonly settings: Fields;
  readonly credentials: Fields;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Reads the list of a source and at most 50 of its items, for at most 15 seconds. Stores nothing. */
export async function previewSource(parts: ToolParts, request: PreviewRequest): Promise<SourcePreview> {
  const { kind } = request;
  const signal = AbortSignal.timeout(TIME_MS);
  const preview = new Preview(
    openTools(parts, { ...request, signal, memory: noPageMemory }),
    request.credentials,
  );
  const values = {
    settings: kind.settings.parse(request.settings),
    credentials: kind.credentials.parse(request.credentials),
  };
  try {
    const reader = kind.open(values, preview.tools);
    await preview.list(reader);
    await preview.read(reader);
  } catch (error) {
    if (!signal.aborted) preview.fail(error);
  }
  return preview.result();
}

class Preview {
  readonly tools: ReturnType<typeof openTools>;
  readonly #credentials: Fields;
  readonly #items = new Map<string, PreviewItem>();
  readonly #pending: ListedItem[] = [];
  #listed = 0;
  #isWhole = false;
  #failure: SourcePreview['failure'] = null;

  constructor(tools: ReturnType<typeof openTools>, credentials: Fields) {
    this.tools = tools;
    this.#credentials = credentials;
  }

  async list(reader: SourceReader): Promise<void> {
    let page = await reader.list(null);
    let isCut = false;
    for (;;) {
      isCut ||= page.isCut === true;
      this.#add(page.items, { isStart: !reader.isComplete });
      for (const { key, url = null, code, reason } of page.leftOut ?? []) {
        this.#set({ key, url }, { outcome: 'skipped', code, reason });
      }
      if (page.next === null || this.#listed >= MOST_LISTED) break;
      this.tools.signal.throwIfAborted();
      page = await reader.list(page.next);
    }
    this.#isWhole = page.next === null && !isCut;
  }

  async read(reader: SourceReader): Promise<void> {
    for (let count = 0; count < MOST_ITEMS; count += 1) {
      const item = this.#pending.shift();
      if (item === undefined) return;
      this.tools.signal.throwIfAborted();
      try {
        this.#note(item, await reader.read({ ...item, validators: null }));
      } catch (error) {
        this.tools.signal.throwIfAborted();
        if (!(error instanceof ItemError) && !(error instanceof FetchError)) throw error;
        const reason = withoutSecrets(error.message, this.#credentials);
        this.#set(item, { outcome: 'failed', code: error.code, reason });
      }
    }
  }

  fail(error: unknown): void {
    if (!(error instanceof SourceError) && !(error instanceof FetchError)) throw error;
    this.#failure = { code: error.code, reason: withoutSecrets(error.message, this.#credentials) };
  }

  result(): SourcePreview {
    const items = [...this.#items.values()].slice(0, 2 * MOST_ITEMS);
    return { items, listed: this.#listed, isWhole: this.#isWhole, failure: this.#failure };
  }

  #add(items: readonly ListedItem[], { isStart }: { readonly isStart: boolean }): void {
    for (const item of items) {
      if (this.#items.has(item.key)) continue;
      const isWanted = this.tools.isWanted(item.url ?? item.key);
      this.#listed += 1;
      if (isWanted) this.#set(item, { outcome: 'not_read' });
      else this.#set(item, { outcome: 'skipped', code: 'excluded', reason: excludedReason });
      // The start of a website is read for its links, even if it does not become a document itself.
      if (isWanted || isStart) this.#pending.push(item);
    }
  }

  #note(item: ListedItem, result: ReadResult): void {
    const found = 'found' in result ? (result.found ?? []) : [];
    this.#add(
      found.filter(({ key, url }) => this.tools.isWanted(url ?? key)),
      { isStart: false },
    );
    if (result.kind === 'gone') {
      this.#set(item, { outcome: 'gone', code: 'gone', reason: 'It does not exist.' });
    } else if (result.kind === 'moved') {
      this.#add([result.to], { isStart: false });
      this.#set(item, { outcome: 'moved', code: 'moved', reason: movedReason(result.to) });
    } else if (result.kind === 'skipped') {
      this.#set(item, { outcome: 'skipped', code: result.code, reason: result.reason });
    } else if (this.tools.isWanted(item.url ?? item.key)) {
      const content = result.kind === 'content' ? result : null;
      this.#set(
        { ...item, ...(content?.title !== undefined && { title: content.title }) },
        {
          outcome: 'read',
          bytes: content?.bytes.byteLength ?? null,
          contentType: content?.contentType || null,
        },
      );
    }
  }

  #set({ key, url, title }: NamedItem, outcome: Partial<PreviewItem> & Pick<PreviewItem, 'outcome'>): void {
    this.#items.set(key, {
      ...{ key, url: url ?? null, title: title ?? null },
      ...{ code: null, reason: null, bytes: null, contentType: null },
      ...outcome,
    });
  }
}

interface NamedItem {
  readonly key: string;
  readonly url?: string | null;
  readonly title?: string | null;
}

export const excludedReason = 'The patterns of the source leave it out.';

export function movedReason({ url, key }: ListedItem): string {
  return `It is another item by now: ${url ?? key}.`;
}
