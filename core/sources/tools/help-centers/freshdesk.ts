import { z } from 'zod';
import { renderArticle } from '../kit/article.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Attachment, Collection, Refusal } from '../kit/declaration.ts';
import { collectPages } from '../kit/pages.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';

const settingsSchema = z.object({
  subdomain: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,62}$/i, 'Give the subdomain alone, without freshdesk.com.')
    .meta({ description: 'The first part of your Freshdesk address: `acme` for acme.freshdesk.com.' }),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z\d]{2,8}){0,2}$/i, 'Give a language such as de.')
    .optional()
    .meta({
      description:
        'The language of the articles, such as `de`. Empty: the main language of your help desk. Add a source for each further language.',
    }),
  restricted: z.enum(['leave_out', 'include']).default('leave_out').meta({
    description:
      'Articles in folders that not everybody may see. `leave_out`: they are not read. `include`: they are read like all others.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files of the articles too, each as a document of its own.',
  }),
});

const credentialsSchema = z.object({
  api_key_token: z.string().min(1).meta({
    description:
      'The API key of an agent, from Profile settings > View API key. The source reads what they see.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The articles of a Freshdesk help desk. https://developers.freshdesk.com/api/#solutions */
export const freshdeskKind = toolKind<Settings, Credentials>({
  kind: 'freshdesk',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { api_key_token: key } }, tools) {
    const authorization = `Basic ${Buffer.from(`${key}:X`).toString('base64')}`;
    const base = `https://${settings.subdomain.toLowerCase()}.freshdesk.com`;
    const client = new ToolClient({ name: 'Freshdesk', base, headers: { authorization } }, tools);
    return { client, collections: [defineCollection(articles(client, { settings, base }), client)] };
  },
});

const nameSchema = z.object({ id: z.number().int(), name: z.string().nullish() });
const folderSchema = nameSchema.extend({
  visibility: z.number().nullish(),
  sub_folders_count: z.number().nullish(),
});
const fileSchema = z.object({
  ...{ id: z.number().int(), name: z.string(), attachment_url: z.string() },
  ...{ content_type: z.string().nullish(), size: z.number().nullish(), updated_at: z.string().nullish() },
});
const articleSchema = z.object({
  ...{ id: z.number().int(), title: z.string().nullish(), description: z.string().nullish() },
  ...{ status: z.number().nullish(), updated_at: z.string(), folder_id: z.number().int().nullish() },
  hierarchy: z.array(z.object({ data: z.object({ name: z.string().nullish() }) })).nullish(),
  attachments: z.array(fileSchema).nullish(),
});

interface PlacedArticle {
  readonly article: z.output<typeof articleSchema>;
  /** Of its folder: 1 is everybody. */
  readonly visibility: number | null;
}

/** Places that are left to list: categories, folders with their visibility, next one last, and the page of the last folder. */
const cursorSchema = z.object({
  categories: z.array(z.number()),
  folders: z.array(z.object({ id: z.number(), visibility: z.number().nullable() })),
  page: z.number(),
});

const PAGE_SIZE = 100;
const MOST_PAGES = 20;
const EVERYBODY = 1;
const PUBLISHED = 2;

interface Desk {
  readonly settings: Settings;
  readonly base: string;
}

function articles(client: ToolClient, { settings, base }: Desk): Collection<PlacedArticle> {
  const api = '/api/v2/solutions';
  const language = settings.language === undefined ? '' : apiPath`/${settings.language.toLowerCase()}`;
  const all = <Value>(schema: z.ZodType<Value>, path: string) =>
    collectPages(MOST_PAGES, async (cursor) => {
      const query = { page: Number(cursor ?? 1), per_page: PAGE_SIZE };
      const { value } = await client.list(z.array(schema), path, { query });
      return { values: value, next: value.length < PAGE_SIZE ? null : String(query.page + 1) };
    });
  const toPlace = ({ id, visibility = null }: z.output<typeof folderSchema>) => ({ id, visibility });
  const visibilities = new Map<number, number | null>();
  return {
    name: '',
    isListedWhole: true,
    async list(cursor) {
      const start = async () => {
        const categories = await all(nameSchema, `${api}/categories`);
        return { categories: categories.map(({ id }) => id).reverse(), folders: [], page: 1 };
      };
      const { categories, folders, page } = cursor === null ? await start() : cursorSchema.parse(cursor);
      const folder = folders.at(-1);
      if (folder === undefined) {
        const category = categories.at(-1);
        if (category === undefined) return { records: [], next: null };
        const found = await all(folderSchema, apiPath`/api/v2/solutions/categories/${category}/folders`);
        const next = { categories: categories.slice(0, -1), folders: found.map(toPlace), page: 1 };
        return { records: [], next: next.folders.length + next.categories.length === 0 ? null : next };
      }
      const path = `${apiPath`/api/v2/solutions/folders/${folder.id}/articles`}${language}`;
      const { value } = await client.list(z.array(articleSchema), path, {
        query: { page, per_page: PAGE_SIZE },
      });
      const records = value.map((article) => ({ article, visibility: folder.visibility }));
      if (value.length >= PAGE_SIZE) return { records, next: { categories, folders, page: page + 1 } };
      // Folders inside have a list of their own.
      const inner = await all(folderSchema, apiPath`/api/v2/solutions/folders/${folder.id}/subfolders`);
      const left = [...folders.slice(0, -1), ...inner.map(toPlace)];
      const isEnd = left.length + categories.length === 0;
      return { records, next: isEnd ? null : { categories, folders: left, page: 1 } };
    },
    describe: ({ article: { id, title, updated_at: version } }) => ({
      ...{ id: String(id), title, version },
      url: `${base}/support/solutions/articles/${id}`,
    }),
    refuse: ({ article, visibility }) => refuse(article, { visibility, settings }),
    async find(id) {
      const path = `${apiPath`/api/v2/solutions/articles/${id}`}${language}`;
      const article = await client.item(articleSchema, path);
      if (article === null) return null;
      const folder = article.folder_id ?? 0;
      if (!visibilities.has(folder)) {
        const found = await client.item(folderSchema, apiPath`/api/v2/solutions/folders/${folder}`);
        visibilities.set(folder, found?.visibility ?? null);
      }
      return { article, visibility: visibilities.get(folder) ?? null };
    },
    content: ({ article }) => {
      const path = (article.hierarchy ?? []).map(({ data }) => data.name);
      const html = renderArticle({ path, body: article.description ?? '' });
      return { bytes: html, contentType: 'text/html; charset=utf-8' };
    },
    attachments: ({ article }) => (settings.attachments ? (article.attachments ?? []).map(toAttachment) : []),
  };
}

interface Folder {
  readonly visibility: number | null;
  readonly settings: Settings;
}

function refuse(
  { status, description }: PlacedArticle['article'],
  { visibility, settings }: Folder,
): Refusal | null {
  if (status !== PUBLISHED) return { code: 'draft', reason: 'The article is a draft.' };
  if ((description ?? '').trim() === '') return { code: 'empty', reason: 'The article has no text.' };
  if (settings.restricted === 'include' || visibility === EVERYBODY) return null;
  return { code: 'restricted', reason: 'Not everybody may see the folder of the article.' };
}

function toAttachment(file: z.output<typeof fileSchema>): Attachment {
  const { id, name, content_type: contentType, size: bytes, attachment_url: address } = file;
  return {
    id: String(id),
    name,
    contentType,
    bytes,
    version: `${file.updated_at ?? ''} ${bytes ?? ''}`,
    address,
  };
}
