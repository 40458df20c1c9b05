import { rejectOnAbort } from '../../base/async.ts';
import type { Fields } from '../../base/fields.ts';
import { FetchError } from '../../base/http-client.ts';
import { Flights } from '../flights.ts';
import { noPageMemory } from '../page-memory.ts';
import type { AnySourceKind } from '../source-kinds.ts';
import {
  ItemError,
  type ListedItem,
  type ReadResult,
  SourceError,
  type SourceReader,
} from '../source-reader.ts';
import { openTools, type ToolParts, withoutSecrets } from '../source-tools.ts';
import { groupByPath, type PathGroup } from './path-groups.ts';

const MOST_ITEMS = 50;
const TIME_MS = 15_000;
/** A source may have no more; and listing must leave time for reading. */
const MOST_LISTED = 20_000;
const LIST_MS = 6_000;
const AT_ONCE = 3;

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

/** Items whose paths begin alike, with what was found of those that were looked at. */
interface PreviewGroup {
  /** As the patterns of a source have it. Null: what is left of many small groups. */
  readonly pattern: string | null;
  readonly listed: number;
  /** Those of them that no list names. */
  readonly unlisted: number;
  readonly checked: number;
  /** Those of them that would become documents. */
  readonly read: number;
  readonly sample: PreviewItem | null;
}

export interface SourcePreview {
  readonly items: readonly PreviewItem[];
  /** The largest first. */
  readonly groups: readonly PreviewGroup[];
  /** Items of groups of which a checked one would become a document. */
  readonly covered: number;
  /** Pages that are linked and that no list names, as far as pages were read. */
  readonly unlisted: number;
  /** The pattern of the paths that are read; null for all. */
  readonly scope: string | null;
  /** Items that the list names and that lie outside of the scope. */
  readonly outside: number;
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

/**
 * Reads the list of a source and at most 50 of its items, for at most 15 seconds: the start, then one item of each group of
 * paths, then others. Stores nothing.
 */
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
  readonly #pending = new Map<string, ListedItem>();
  /** Everything that may become a document. */
  readonly #wanted = new Map<string, ListedItem>();
  readonly #checked = new Set<string>();
  #groups: readonly PathGroup<ListedItem>[] | null = null;
  #outside = 0;
  #scope: string | null = null;
  #isWhole = false;
  #failure: SourcePreview['failure'] = null;

  constructor(tools: ReturnType<typeof openTools>, credentials: Fields) {
    this.tools = tools;
    this.#credentials = credentials;
  }

  async list(reader: SourceReader): Promise<void> {
    this.#scope = reader.scope ?? null;
    const endsAt = performance.now() + LIST_MS;
    let page = await reader.list(null);
    let isCut = false;
    for (;;) {
      isCut ||= page.isCut === true;
      this.#outside += page.outside ?? 0;
      this.#add(page.items, { isList: true, isComplete: reader.isComplete });
      for (const { key, url = null, code, reason } of page.leftOut ?? []) {
        this.#set({ key, url }, { outcome: 'skipped', code, reason });
      }
      if (page.next === null || this.#items.size >= MOST_LISTED || performance.now() > endsAt) break;
      this.tools.signal.throwIfAborted();
      page = await reader.list(page.next);
    }
    this.#isWhole = page.next === null && !isCut;
  }

  async read(reader: SourceReader): Promise<void> {
    const flights = new Flights<ListedItem>();
    let begun = 0;
    for (;;) {
      while (flights.size < (reader.ahead === undefined ? 1 : AT_ONCE) && begun < MOST_ITEMS) {
        const item = this.#takeNext();
        if (item === undefined) break;
        begun += 1;
        const ahead = reader.ahead?.({ ...item, validators: null }) ?? Promise.resolve();
        flights.begin(item.key, item, ahead);
      }
      const item = await rejectOnAbort(this.tools.signal)(flights.land());
      if (item === undefined) return;
      await this.#readItem(reader, item);
    }
  }

  async #readItem(reader: SourceReader, item: ListedItem): Promise<void> {
    try {
      this.#note(item, await reader.read({ ...item, validators: null }));
    } catch (error) {
      this.tools.signal.throwIfAborted();
      if (!(error instanceof ItemError) && !(error instanceof FetchError)) throw error;
      const reason = withoutSecrets(error.message, this.#credentials);
      this.#set(item, { outcome: 'failed', code: error.code, reason });
    }
  }

  /** The start first, then an item in the middle of the group of which fewest were looked at. */
  #takeNext(): ListedItem | undefined {
    const start = [...this.#pending.values()].find(({ depth }) => depth === 0);
    const item = start ?? this.#nextOfGroups() ?? this.#pending.values().next().value;
    if (item === undefined) return undefined;
    this.#pending.delete(item.key);
    this.#checked.add(item.key);
    return item;
  }

  #nextOfGroups(): ListedItem | undefined {
    const left = this.#grouped().flatMap(({ items }) => {
      const pending = items.filter(({ key }) => this.#pending.has(key));
      const checked = items.filter(({ key }) => this.#checked.has(key)).length;
      return pending.length === 0 ? [] : [{ pending, checked }];
    });
    const [next] = left.toSorted((one, other) => one.checked - other.checked);
    return next?.pending[Math.floor(next.pending.length / 2)];
  }

  #grouped(): readonly PathGroup<ListedItem>[] {
    this.#groups ??= groupByPath([...this.#wanted.values()]);
    return this.#groups;
  }

  fail(error: unknown): void {
    if (!(error instanceof SourceError) && !(error instanceof FetchError)) throw error;
    this.#failure = { code: error.code, reason: withoutSecrets(error.message, this.#credentials) };
  }

  result(): SourcePreview {
    const all = [...this.#items.values()];
    const isChecked = ({ key }: PreviewItem) => this.#checked.has(key);
    const shown = [...all.filter(isChecked), ...all.filter((item) => !isChecked(item))];
    const groups = this.#grouped().map((group) => this.#describe(group));
    return {
      items: shown.slice(0, 2 * MOST_ITEMS),
      groups,
      covered: groups.reduce((sum, { read, listed }) => sum + (read > 0 ? listed : 0), 0),
      unlisted: groups.reduce((sum, { unlisted }) => sum + unlisted, 0),
      ...{ scope: this.#scope, outside: this.#outside },
      ...{ listed: this.#wanted.size, isWhole: this.#isWhole, failure: this.#failure },
    };
  }

  #describe({ pattern, items }: PathGroup<ListedItem>): PreviewGroup {
    const checked = items.flatMap(({ key }) => {
      const item = this.#checked.has(key) ? this.#items.get(key) : undefined;
      return item === undefined || item.outcome === 'not_read' ? [] : [item];
    });
    const read = checked.filter(({ outcome }) => outcome === 'read');
    return {
      ...{ pattern, listed: items.length, checked: checked.length, read: read.length },
      unlisted: items.filter(({ origin }) => origin === 'beyond').length,
      sample: read[0] ?? checked[0] ?? null,
    };
  }

  #add(
    items: readonly ListedItem[],
    { isList, isComplete = true }: { readonly isList: boolean; readonly isComplete?: boolean },
  ): void {
    for (const item of items) {
      if (this.#items.has(item.key)) continue;
      const isWanted = this.tools.isWanted(item.url ?? item.key);
      if (isWanted) this.#set(item, { outcome: 'not_read' });
      else this.#set(item, { outcome: 'skipped', code: 'excluded', reason: excludedReason });
      if (isWanted) this.#wanted.set(item.key, item);
      // The start of a website is read for its links, even if it does not become a document itself.
      const isStart = isList && !isComplete && (item.depth ?? 0) === 0;
      if (isWanted || isStart) this.#pending.set(item.key, item);
      this.#groups = null;
    }
  }

  #note(item: ListedItem, result: ReadResult): void {
    const parts = result.kind === 'content' ? (result.parts ?? []) : [];
    const found = 'found' in result ? [...(result.found ?? []), ...parts] : parts;
    this.#add(
      found.filter(({ key, url }) => this.tools.isWanted(url ?? key)),
      { isList: false },
    );
    if (result.kind === 'gone') {
      this.#set(item, { outcome: 'gone', code: 'gone', reason: 'It does not exist.' });
    } else if (result.kind === 'moved') {
      this.#add([result.to], { isList: false });
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
