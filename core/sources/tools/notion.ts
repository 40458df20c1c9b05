import { z } from 'zod';
import type { Json } from '../../contract/account.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type ReadResult,
  type SkippedItem,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import {
  blocksSchema,
  type NotionBlock,
  type NotionProperty,
  ownPages,
  plain,
  renderPage,
  richTexts,
} from './notion-markdown.ts';
import { apiPath, ToolClient } from './tool-client.ts';

const settingsSchema = z.object({
  only_public: z.boolean().default(false).meta({
    description:
      'Read only pages that are published to the web, so that answers link to pages that visitors can open.',
  }),
});

const credentialsSchema = z.object({
  token: z.string().min(1).meta({
    description:
      'The secret of an internal integration with the capability to read content, from notion.so/profile/integrations. It reads the pages that are shared with it.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The pages that are shared with an integration. https://developers.notion.com/reference/post-search */
export const notionKind: SourceKind<Settings, Credentials> = {
  kind: 'notion',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new NotionReader(values, tools),
};

const namedSchema = z.object({ name: z.string() });
const propertySchema = z.looseObject({
  type: z.string(),
  title: richTexts.optional().catch(undefined),
  rich_text: richTexts.optional().catch(undefined),
  select: namedSchema.nullish().catch(null),
  multi_select: z.array(namedSchema).optional().catch(undefined),
});
const pageSchema = z.object({
  object: z.string(),
  id: z.string(),
  url: z.string().nullish(),
  public_url: z.string().nullish(),
  last_edited_time: z.string(),
  archived: z.boolean().nullish(),
  in_trash: z.boolean().nullish(),
  properties: z.record(z.string(), propertySchema).default({}),
});
type Page = z.output<typeof pageSchema>;

const searchSchema = z.object({
  results: z.array(pageSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});
const cursorSchema = z.string().nullable();

const MOST_REQUESTS = 300;
const MOST_DEPTH = 10;
/** Times of edits are rounded down to minutes, so that the same time may stand for two edits. */
const ROUNDED_MS = 120_000;

class NotionReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;
  readonly #now: () => Date;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const headers = { authorization: `Bearer ${credentials.token}`, 'notion-version': '2022-06-28' };
    this.#client = new ToolClient({ name: 'Notion', base: 'https://api.notion.com', headers }, tools);
    this.#settings = settings;
    this.#now = tools.now;
  }

  /** The oldest edit comes first: a page that is edited meanwhile moves to the end and is not missed. */
  async list(cursor: Json | null): Promise<ListedPage> {
    const start = cursorSchema.parse(cursor);
    const { value } = await this.#client.list(searchSchema, '/v1/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        filter: { property: 'object', value: 'page' },
        sort: { timestamp: 'last_edited_time', direction: 'ascending' },
        page_size: 100,
        ...(start !== null && { start_cursor: start }),
      }),
    });
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    for (const page of value.results) {
      if (page.object !== 'page') continue;
      const item = this.#toItem(page);
      const reason = this.#reasonAgainst(page);
      if (reason === null) items.push(item);
      else leftOut.push({ ...item, ...reason });
    }
    const next = value.has_more ? (value.next_cursor ?? null) : null;
    return { items, leftOut, next: next === start ? null : next };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const page = await this.#client.item(pageSchema, apiPath`/v1/pages/${key}`);
    if (page === null) return { kind: 'gone' };
    const reason = this.#reasonAgainst(page);
    if (reason !== null) return { kind: 'skipped', ...reason };
    const blocks = await new BlockLoader(this.#client).load(key, 0);
    const markdown = renderPage(propertiesOf(page), blocks);
    if (markdown.trim() === '') return { kind: 'skipped', code: 'empty', reason: 'The page has no text.' };
    const { title, url } = this.#toItem(page);
    return {
      kind: 'content',
      bytes: Buffer.from(markdown),
      contentType: 'text/markdown',
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
    };
  }

  #reasonAgainst(page: Page): { readonly code: string; readonly reason: string } | null {
    if (page.archived === true || page.in_trash === true) {
      return { code: 'archived', reason: 'The page is in the trash.' };
    }
    if (!this.#settings.only_public || (page.public_url ?? null) !== null) return null;
    return { code: 'not_public', reason: 'The page is not published to the web.' };
  }

  #toItem(page: Page): ListedItem {
    const { id: key, last_edited_time: edited } = page;
    const url = page.public_url ?? page.url ?? undefined;
    const title = titleOf(page);
    const isSettled = this.#now().getTime() - Date.parse(edited) >= ROUNDED_MS;
    return {
      key,
      ...(url !== undefined && { url }),
      ...(title !== '' && { title }),
      ...(isSettled && { version: `${edited} ${page.public_url ?? ''}` }),
    };
  }
}

function titleOf({ properties }: Page): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  return plain(title?.title ?? []).trim();
}

/** Pages of a database often hold their text in properties. */
function propertiesOf({ properties }: Page): readonly NotionProperty[] {
  return Object.entries(properties)
    .map(([name, { rich_text: rich, select, multi_select: multi }]) => {
      const names = [...(select ? [select] : []), ...(multi ?? [])].map((option) => option.name);
      return { name, text: rich ?? (names.length === 0 ? [] : [{ plain_text: names.join(', ') }]) };
    })
    .filter(({ text }) => plain(text).trim() !== '');
}

/** Loads the blocks of a page. Each block with blocks inside takes a request of its own. */
class BlockLoader {
  readonly #client: ToolClient;
  #requests = 0;

  constructor(client: ToolClient) {
    this.#client = client;
  }

  async load(id: string, depth: number): Promise<readonly NotionBlock[]> {
    const blocks: NotionBlock[] = [];
    for (let cursor: string | undefined, isEnd = false; !isEnd; ) {
      this.#requests += 1;
      if (this.#requests > MOST_REQUESTS || depth > MOST_DEPTH) throw tooLarge();
      const query = { page_size: 100, start_cursor: cursor };
      const page = await this.#client.item(blocksSchema, apiPath`/v1/blocks/${id}/children`, { query });
      for (const block of page?.results ?? []) {
        const hasInner = block.hasChildren && !ownPages.has(block.type);
        blocks.push({ ...block, children: hasInner ? await this.load(block.id, depth + 1) : [] });
      }
      cursor = page?.next_cursor ?? undefined;
      isEnd = page?.has_more !== true || cursor === undefined;
    }
    return blocks;
  }
}

function tooLarge(): ItemError {
  return new ItemError('too_large', 'The page has too many nested blocks. Split it into smaller pages.');
}
