import { z } from 'zod';
import type { Json } from '../../../contract/account.ts';
import type { KnownItem, ListedPage, ReadResult, SourceKind, SourceReader } from '../../source-reader.ts';
import { parseAttachmentKey } from './attachments.ts';
import type { ErasedCollection, OpenTool, ToolDeclaration } from './declaration.ts';

/** Returns the kind of source that reads a tool by its declaration. */
export function toolKind<Settings, Credentials>({
  open,
  ...values
}: ToolDeclaration<Settings, Credentials>): SourceKind<Settings, Credentials> {
  return { ...values, open: (given, tools) => new ToolReader(open(given, tools)) };
}

const cursorSchema = z.object({ collection: z.string(), cursor: z.json() });

/** Reads a tool by its declaration: one collection after the other, and the attachments of what it reads. */
class ToolReader implements SourceReader {
  readonly isComplete = true;
  readonly holdsListed = true;
  readonly #tool: OpenTool;

  constructor(tool: OpenTool) {
    this.#tool = tool;
  }

  async list(value: Json | null, since: Json | null = null): Promise<ListedPage> {
    if (value === null) await this.#tool.check?.();
    const listed = this.#tool.collections.filter(({ list }) => list !== null);
    const start = { collection: listed[0]?.name ?? '', cursor: null };
    const { collection: name, cursor } = value === null ? start : cursorSchema.parse(value);
    const at = listed.findIndex((one) => one.name === name);
    const page = await listed[at]?.list?.(cursor, since);
    if (page === undefined) return { items: [], next: null };
    if (page.next !== null) return { ...page, next: { collection: name, cursor: page.next } };
    const following = listed[at + 1];
    return { ...page, next: following === undefined ? null : { collection: following.name, cursor: null } };
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const place = parseAttachmentKey(item.key);
    const collection = this.#collectionOf(place?.key ?? item.key);
    if (collection === undefined) return { kind: 'gone' };
    return place === null ? collection.read(item) : collection.readAttachment(item, place);
  }

  #collectionOf(key: string): ErasedCollection | undefined {
    const { collections } = this.#tool;
    const named = collections.find(({ name }) => name !== '' && key.startsWith(`${name}:`));
    return named ?? collections.find(({ name }) => name === '');
  }
}
