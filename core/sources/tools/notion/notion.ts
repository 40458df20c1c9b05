import { z } from 'zod';
import { defineCollection } from '../kit/collection.ts';
import type { Attachment, Collection, Content, Description, Refusal, Rest } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';
import { type BlockPlace, loadBlocks, placeSchema } from './notion-blocks.ts';
import { type NotionBlock, renderPage } from './notion-markdown.ts';
import { filesOf, propertiesSchema, readProperties, titleOf } from './notion-properties.ts';
import { NotionSpace, parentSchema } from './notion-space.ts';

const settingsSchema = z.object({
  only_public: z.boolean().default(false).meta({
    description:
      'Read only pages that are published to the web, so that answers link to pages that visitors can open.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files in pages and in properties too, each as a document of its own.',
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
export const notionKind = toolKind<Settings, Credentials>({
  kind: 'notion',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const headers = { authorization: `Bearer ${credentials.token}`, 'notion-version': '2022-06-28' };
    const client = new ToolClient({ name: 'Notion', base: 'https://api.notion.com', headers }, tools);
    const space = new NotionSpace(client);
    const notion = { client, space, settings, now: tools.now };
    return {
      client,
      collections: [defineCollection(pages(notion), client), defineCollection(rests(notion), client)],
    };
  },
});

interface Notion {
  readonly client: ToolClient;
  readonly space: NotionSpace;
  readonly settings: Settings;
  readonly now: () => Date;
}

const pageSchema = z.object({
  object: z.string(),
  id: z.string(),
  url: z.string().nullish(),
  public_url: z.string().nullish(),
  last_edited_time: z.string(),
  archived: z.boolean().nullish(),
  in_trash: z.boolean().nullish(),
  parent: parentSchema.nullish(),
  properties: propertiesSchema,
});
type Page = z.output<typeof pageSchema>;

const searchSchema = z.object({
  results: z.array(pageSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});
const cursorSchema = z.string().nullable();

/** Times of edits are rounded down to minutes, so that the same time may stand for two edits. */
const ROUNDED_MS = 120_000;

/** A page, or what is left of a very large one. */
interface PageText {
  readonly page: Page;
  /** Absent in the list. */
  readonly blocks?: readonly NotionBlock[];
  readonly from: BlockPlace | null;
  readonly rest?: BlockPlace | null;
}

function pages(notion: Notion): Collection<PageText> {
  const { client, space } = notion;
  return {
    name: '',
    /** Oldest edit first: a page that is edited meanwhile moves to the end and is not missed. */
    async list(cursor) {
      const start = cursorSchema.parse(cursor);
      const { value } = await client.list(searchSchema, '/v1/search', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          filter: { property: 'object', value: 'page' },
          sort: { timestamp: 'last_edited_time', direction: 'ascending' },
          page_size: 100,
          ...(start !== null && { start_cursor: start }),
        }),
      });
      const found = value.results.filter(({ object }) => object === 'page');
      for (const page of found) space.note(page.id, { title: titleOf(page.properties), parent: page.parent });
      return {
        records: found.map((page) => ({ page, from: null })),
        next: value.has_more ? (value.next_cursor ?? null) : null,
      };
    },
    describe: ({ page }) => describe(notion, page),
    refuse: ({ page }) => refuse(notion, page),
    find: (id) => find(notion, id, null),
    content: (text) => render(notion, text),
    attachments: (text) => attachments(notion, text),
  };
}

const REST = 'rest';

/** The rest of pages with more blocks than one reading can ask for, such as an FAQ of a thousand toggles. */
function rests(notion: Notion): Collection<PageText> {
  return {
    name: REST,
    describe: ({ page, from }) => describeRest(notion, page, from ?? ['']),
    refuse: ({ page }) => refuse(notion, page),
    find(id) {
      const [pageId = '', ...place] = id.split('/');
      const from = placeSchema.safeParse(place);
      return from.success ? find(notion, pageId, from.data) : Promise.resolve(null);
    },
    content: (text) => render(notion, text),
    attachments: (text) => attachments(notion, text),
  };
}

async function find(
  { client, space }: Notion,
  id: string,
  from: BlockPlace | null,
): Promise<PageText | null> {
  const page = await client.item(pageSchema, apiPath`/v1/pages/${id}`);
  if (page === null) return null;
  space.note(page.id, { title: titleOf(page.properties), parent: page.parent });
  if (page.archived === true || page.in_trash === true) return { page, from };
  return { page, from, ...(await loadBlocks(client, id, from)) };
}

async function render(
  notion: Notion,
  { page, blocks = [], from, rest = null }: PageText,
): Promise<Content | Refusal> {
  const path = await notion.space.findPath(page.parent);
  const sources = await notion.space.propertySources(page.id, page.parent);
  const properties = from === null ? await readProperties(page.properties, sources) : [];
  const markdown = renderPage({ path, properties, blocks });
  const next: readonly Rest[] =
    rest === null ? [] : [{ name: REST, ...describeRest(notion, page, rest), partOf: page.id }];
  if (markdown.trim() === '' && next.length === 0) return { code: 'empty', reason: 'The page has no text.' };
  return { bytes: markdown, contentType: 'text/markdown', rest: next };
}

function refuse({ settings }: Notion, page: Page): Refusal | null {
  if (page.archived === true || page.in_trash === true) {
    return { code: 'archived', reason: 'The page is in the trash.' };
  }
  if (!settings.only_public || (page.public_url ?? null) !== null) return null;
  return { code: 'not_public', reason: 'The page is not published to the web.' };
}

function describe({ now }: Pick<Notion, 'now'>, page: Page): Description {
  const { id, last_edited_time: edited } = page;
  const isSettled = now().getTime() - Date.parse(edited) >= ROUNDED_MS;
  return {
    ...{ id, url: page.public_url ?? page.url, title: titleOf(page.properties) },
    version: isSettled ? `${edited} ${page.public_url ?? ''}` : undefined,
  };
}

function describeRest(notion: Notion, page: Page, place: BlockPlace): Description {
  const { title, ...described } = describe(notion, page);
  const id = [page.id, ...place].join('/');
  return { ...described, id, title: `${title ?? ''} (continued)`.trim() };
}

/** The blocks and properties that hold files. Their addresses expire within an hour: they are asked for anew. */
function attachments({ settings }: Notion, { page, blocks = [], from }: PageText): readonly Attachment[] {
  if (!settings.attachments) return [];
  const found: Attachment[] = [];
  const visit = ({ id, type, content, children }: NotionBlock): void => {
    const address = content.file?.url ?? content.external?.url;
    if ((type === 'file' || type === 'pdf') && address !== undefined) {
      const name = content.name ?? nameIn(address, type);
      found.push({ id, name, address, version: `${page.last_edited_time} ${name}` });
    }
    children.forEach(visit);
  };
  blocks.forEach(visit);
  if (from !== null) return found;
  const version = page.last_edited_time;
  return [
    ...found,
    ...filesOf(page.properties).map((file) => ({ ...file, version: `${version} ${file.name}` })),
  ];
}

function nameIn(address: string, type: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  const isNamed = /^[\w.%+-]{1,200}\.\w{2,5}$/.test(last);
  return isNamed ? last : type === 'pdf' ? 'file.pdf' : 'file';
}
