import type {
  ListedPage,
  ReadResult,
  SourceReader,
  SourceTools,
} from '../../../../core/sources/source-reader.ts';
import { ItemError, SourceError } from '../../../../core/sources/source-reader.ts';
import type { WrapKind } from './tool-world.ts';

interface Fault {
  readonly name: string;
  /** The check that has to find it. */
  readonly foundBy: string;
  readonly wrap: WrapKind;
}

/** Returns a kind whose reader is changed. */
function withReader(change: (reader: SourceReader, tools: SourceTools) => SourceReader): WrapKind {
  return (kind) => ({ ...kind, open: (values, tools) => change(kind.open(values, tools), tools) });
}

function onList(change: (page: ListedPage) => ListedPage): WrapKind {
  return withReader((reader) => ({
    ...basics(reader),
    list: async (cursor) => change(await reader.list(cursor)),
    read: (item) => reader.read(item),
  }));
}

function onRead(change: (result: ReadResult, key: string) => ReadResult): WrapKind {
  return withReader((reader) => ({
    ...basics(reader),
    list: (cursor) => reader.list(cursor),
    read: async (item) => change(await reader.read(item), item.key),
  }));
}

function onError(change: (error: unknown) => ReadResult): WrapKind {
  return withReader((reader) => ({
    ...basics(reader),
    list: (cursor) => reader.list(cursor),
    read: (item) => reader.read(item).catch(change),
  }));
}

function basics({ isComplete }: SourceReader) {
  return { isComplete };
}

function onContent(change: (text: string) => string): WrapKind {
  return onRead((result) => {
    if (result.kind !== 'content') return result;
    return { ...result, bytes: Buffer.from(change(Buffer.from(result.bytes).toString('utf8'))) };
  });
}

/** Mistakes that a new tool may make. Each is found by one check at least. */
export const faults: readonly Fault[] = [
  {
    name: 'the list ends with its first page',
    foundBy: 'every record is listed once, over several pages, and read with its text and title',
    wrap: onList((page) => ({ ...page, next: null })),
  },
  {
    name: 'versions do not change',
    foundBy: 'only a changed record is read again, and nothing new costs no more than the list',
    wrap: onList((page) => ({ ...page, items: page.items.map((item) => ({ ...item, version: '1' })) })),
  },
  {
    name: 'versions change at each list',
    foundBy: 'only a changed record is read again, and nothing new costs no more than the list',
    wrap: onList((page) => ({ ...page, items: page.items.map(({ version: _, ...item }) => item) })),
  },
  {
    name: 'a deleted record is an error',
    foundBy: 'a deleted record is missing from the list, and gone for a reader',
    wrap: onRead((result) =>
      result.kind === 'gone' ? { kind: 'skipped', code: 'gone', reason: 'Gone.' } : result,
    ),
  },
  {
    name: 'a refused record counts as deleted',
    foundBy: 'a record that may not be opened fails alone',
    wrap: onError((error) => {
      if (error instanceof ItemError) return { kind: 'gone' };
      throw error;
    }),
  },
  {
    name: 'a refused record ends the run',
    foundBy: 'a record that may not be opened fails alone',
    wrap: onError((error) => {
      throw error instanceof ItemError ? new SourceError('source_refused', error.message) : error;
    }),
  },
  {
    name: 'hidden records are listed',
    foundBy: 'what is hidden is left out of the list, and skipped by a reader, with the same code',
    wrap: onList(({ items, leftOut = [], ...page }) => {
      const hidden = leftOut.map(({ key }) => ({ key, version: '1' }));
      return { ...page, items: [...items, ...hidden], leftOut: [] };
    }),
  },
  {
    name: 'a limit fails the record',
    foundBy: 'a short limit is waited for, and a long one gives the turn away',
    wrap: onError((error) => {
      throw error instanceof SourceError ? new ItemError(error.code, error.message) : error;
    }),
  },
  {
    name: 'files are left out',
    foundBy: 'a file of a record becomes an item of its own, with its name and its bytes',
    wrap: onRead((result) => (result.kind === 'content' ? { ...result, parts: [] } : result)),
  },
  {
    name: 'a file outlives its permission',
    foundBy: 'a file of a hidden record is not given',
    wrap: onRead((result, key) =>
      key.startsWith('attachment:') && result.kind === 'skipped'
        ? { kind: 'content', bytes: Buffer.from('secret'), contentType: 'text/plain' }
        : result,
    ),
  },
  {
    name: 'the token goes to every host',
    foundBy: 'the token goes to the addresses of the tool only, also for files',
    wrap: (kind) => ({
      ...kind,
      open: (values, tools) =>
        kind.open(values, {
          ...tools,
          fetch: (address, request) =>
            tools.fetch(address, { ...request, headers: { ...request.headers, 'x-token': 'right-token' } }),
        }),
    }),
  },
  {
    name: 'a long record is cut',
    foundBy: 'everything inside a record that is larger than the answers of the API is read',
    wrap: onContent((text) => text.slice(0, 4_000)),
  },
  {
    name: 'the rest of a long record is lost',
    foundBy: 'everything inside a record that is larger than the answers of the API is read',
    wrap: onRead((result) => (result.kind === 'content' ? { ...result, parts: [] } : result)),
  },
  {
    name: 'numbers are no text',
    foundBy: 'every kind of field is read',
    wrap: onContent((text) => text.replaceAll(/\*\*Price:\*\* .*\n/g, '')),
  },
];
