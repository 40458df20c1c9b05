import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../contract/account.ts';
import type { KnownItem, ListedItem, ListedPage, ReadResult, SkippedItem } from '../../source-reader.ts';
import { judgeAttachments, readAttachment } from './attachments.ts';
import type {
  Attachment,
  Collection,
  Description,
  ErasedCollection,
  RecordPage,
  Refusal,
} from './declaration.ts';
import { HeldRecords } from './held-records.ts';
import type { ToolClient } from './tool-client.ts';

/** Hides the type of the records of a collection, so that a tool can have several. */
export function defineCollection<Found extends object>(
  collection: Collection<Found>,
  client: ToolClient,
): ErasedCollection {
  const opened = new OpenCollection(collection, client);
  const { list } = collection;
  return {
    name: collection.name,
    list:
      list === undefined
        ? null
        : (cursor, since) => opened.list(() => list.call(collection, cursor, since), cursor),
    read: (item) => opened.read(item),
    readAttachment: (item, place) => opened.readAttachment(item, place),
  };
}

class OpenCollection<Found extends object> {
  readonly #collection: Collection<Found>;
  readonly #client: ToolClient;
  readonly #held = new HeldRecords<Found>();
  readonly #files = new WeakMap<Found, readonly Attachment[]>();

  constructor(collection: Collection<Found>, client: ToolClient) {
    this.#collection = collection;
    this.#client = client;
  }

  async list(list: () => Promise<RecordPage<Found>>, cursor: Json | null): Promise<ListedPage> {
    const { records, next, leftOut: more = [], gone = [], ...feed } = await list();
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [...more];
    for (const record of records) {
      const item = this.#toItem(record);
      const refusal = (await this.#collection.refuse?.(record)) ?? null;
      if (refusal !== null) leftOut.push({ ...item, ...refusal });
      else {
        items.push(item);
        this.#held.add(item, record);
      }
    }
    // The same cursor again would never end.
    const isStuck = isDeepStrictEqual(next, cursor);
    const { name } = this.#collection;
    const keys = gone.map((id) => toItem(name, { id }).key);
    return { ...feed, items, leftOut, gone: keys, next: isStuck ? null : next };
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const record = await this.#find(item);
    if (record === null) return { kind: 'gone' };
    const refusal = (await this.#collection.refuse?.(record)) ?? null;
    if (refusal !== null) return { kind: 'skipped', ...refusal };
    const content = await this.#collection.content(record);
    if (content === null) return { kind: 'gone' };
    if ('code' in content) return { kind: 'skipped', ...content };
    const attachments = await this.#attachments(record);
    const bytes = typeof content.bytes === 'string' ? Buffer.from(content.bytes) : content.bytes;
    const rest = (content.rest ?? []).map((one) => ({
      ...toItem(one.name, one),
      partOf: one.partOf ?? item.key,
    }));
    const { parts, leftOut } = judgeAttachments(item.key, attachments);
    // A page that holds nothing but files still leads to them.
    if (isBlank(bytes) && parts.length + rest.length === 0) return { kind: 'skipped', ...emptyRefusal };
    const { key: _, version: __, ...names } = this.#toItem(record);
    return {
      kind: 'content',
      bytes: isBlank(bytes) ? Buffer.from(names.title ?? item.title ?? item.key) : bytes,
      contentType: isBlank(bytes) ? 'text/plain' : content.contentType,
      ...(content.fileName !== undefined && { fileName: content.fileName }),
      ...names,
      ...this.#audience(record),
      parts: [...parts.map((part) => ({ url: names.url ?? item.url, ...part })).map(withoutEmpty), ...rest],
      partsLeftOut: leftOut,
    };
  }

  async readAttachment(item: KnownItem, place: { readonly key: string; readonly id: string }) {
    const owner = { key: place.key, validators: null };
    const record = await this.#find(owner);
    if (record === null) return { kind: 'gone' } as const;
    const refusal = (await this.#collection.refuse?.(record)) ?? null;
    if (refusal !== null) return { kind: 'skipped', ...refusal } as const;
    const attachments = await this.#attachments(record);
    const attachment = attachments.find(({ id }) => id === place.id);
    if (attachment === undefined) return { kind: 'gone' } as const;
    const url = attachment.url ?? this.#toItem(record).url ?? item.url;
    const read = await readAttachment(this.#client, attachment);
    if (read.kind !== 'content') return read;
    return { ...read, ...(url !== undefined && { url }), ...this.#audience(record) };
  }

  /** Requests a record, unless the list has just answered with it. The files of an item are read right after it. */
  async #find(item: KnownItem): Promise<Found | null> {
    const { name, isListedWhole = false } = this.#collection;
    const last = this.#held.findLast(item);
    if (last !== undefined) return last;
    const listed = this.#held.find(item);
    if (listed !== undefined && isListedWhole) return listed;
    const id = name === '' ? item.key : item.key.slice(name.length + 1);
    const record = await this.#collection.find(id, item, listed);
    if (record !== null) this.#held.keepLast(item, record);
    return record;
  }

  /** All files of a record are read after each other, and asked for once. */
  async #attachments(record: Found): Promise<readonly Attachment[]> {
    const known = this.#files.get(record);
    if (known !== undefined) return known;
    const found = (await this.#collection.attachments?.(record)) ?? [];
    this.#files.set(record, found);
    return found;
  }

  #toItem(record: Found): ListedItem {
    return toItem(this.#collection.name, this.#collection.describe(record));
  }

  #audience(record: Found): { readonly audience?: readonly string[] } {
    const audience = this.#collection.audience?.(record);
    return audience === undefined ? {} : { audience };
  }
}

const emptyRefusal: Refusal = { code: 'empty', reason: 'It has no text.' };

/** Longer ones are not only space. */
const BLANK_BYTES = 1_000;

function isBlank(bytes: Uint8Array): boolean {
  return bytes.byteLength < BLANK_BYTES && Buffer.from(bytes).toString('utf8').trim() === '';
}

function toItem(name: string, { id, title, url, version }: Description): ListedItem {
  return withoutEmpty({
    key: name === '' ? id : `${name}:${id}`,
    title: title ?? undefined,
    url: url ?? undefined,
    version,
  });
}

interface LooseItem {
  readonly key: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly version?: string | undefined;
  readonly partOf?: string | undefined;
}

function withoutEmpty({ key, title = '', url = '', version, partOf }: LooseItem): ListedItem {
  return {
    key,
    ...(url !== '' && { url }),
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(version !== undefined && { version }),
    ...(partOf !== undefined && { partOf }),
  };
}
