import { z } from 'zod';
import { findLinkedFiles } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';

const settingsSchema = z.object({
  region: z.enum(['us', 'eu', 'au']).default('us').meta({
    description: 'Where your Intercom workspace is hosted: Settings > Workspace > General.',
  }),
  translations: z.boolean().default(false).meta({
    description: 'Read the published translations of each article too, each as a document of its own.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files that are attached to articles too, each as a document of its own.',
  }),
});

const credentialsSchema = z.object({
  access_token: z.string().min(1).meta({
    description:
      'The access token of an app with the permission to read and list articles, from Intercom > Settings > Integrations > Developer hub > your app > Authentication.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Published articles. https://developers.intercom.com/docs/references/rest-api/api.intercom.io/articles */
export const intercomKind = toolKind<Settings, Credentials>({
  kind: 'intercom',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const authorization = `Bearer ${credentials.access_token}`;
    const headers = { authorization, accept: 'application/json', 'intercom-version': '2.11' };
    const client = new ToolClient({ name: 'Intercom', base: bases[settings.region], headers }, tools);
    return { client, collections: [defineCollection(articles(client, settings), client)] };
  },
});

const bases: Readonly<Record<Settings['region'], string>> = {
  us: 'https://api.intercom.io',
  eu: 'https://api.eu.intercom.io',
  au: 'https://api.au.intercom.io',
};

const textSchema = z.object({
  title: z.string().nullish(),
  body: z.string().nullish(),
  state: z.string().nullish(),
  url: z.string().nullish(),
  updated_at: z.number().nullish(),
});
const articleSchema = textSchema.extend({
  id: z.union([z.string(), z.number().transform(String)]),
  default_locale: z.string().nullish(),
  /** The texts by language, with other fields in between. */
  translated_content: z.record(z.string(), z.unknown()).nullish(),
});
type Article = z.output<typeof articleSchema>;
type Text = z.output<typeof textSchema>;

const listSchema = z.object({
  data: z.array(articleSchema),
  pages: z.object({ page: z.number(), total_pages: z.number() }).nullish(),
});
const cursorSchema = z.number().int();

/** An article in one of its languages. */
interface Translation {
  readonly key: string;
  readonly text: Text;
}

function articles(client: ToolClient, settings: Settings): Collection<Translation> {
  const base = bases[settings.region];
  return {
    name: '',
    isListedWhole: true,
    /** Latest change first, as Intercom sorts: an article that is changed meanwhile is listed twice and not missed. */
    async list(cursor) {
      const page = cursorSchema.parse(cursor ?? 1);
      const { value } = await client.list(listSchema, '/articles', { query: { page, per_page: 50 } });
      const isEnd = value.data.length === 0 || page >= (value.pages?.total_pages ?? page);
      const records = value.data.flatMap((article) => translationsOf(article, settings));
      return { records, next: isEnd ? null : page + 1 };
    },
    describe: ({ key, text: { title, url, updated_at: updated } }) => ({
      id: key,
      title,
      url,
      version: typeof updated === 'number' ? String(updated) : undefined,
    }),
    refuse: ({ text }) => refuse(text),
    async find(key) {
      const [id = ''] = key.split(':', 1);
      const article = await client.item(articleSchema, apiPath`/articles/${id}`);
      if (article === null) return null;
      return translationsOf(article, settings).find((one) => one.key === key) ?? null;
    },
    content: ({ text }) => ({ bytes: text.body ?? '', contentType: 'text/html; charset=utf-8' }),
    // The API names no files; the text links to them, with signatures that expire.
    attachments: ({ text }) =>
      settings.attachments ? findLinkedFiles(text.body ?? '', { base, isOwn: isDownload }) : [],
  };
}

function isDownload({ hostname }: URL): boolean {
  return /^downloads\.(?:eu\.|au\.)?intercomcdn\.(?:com|eu)$/.test(hostname);
}

/** The article in its own language and, if they are wanted, in the others. */
function translationsOf(article: Article, { translations }: Settings): readonly Translation[] {
  const own = { key: article.id, text: article };
  if (!translations) return [own];
  const others = Object.entries(article.translated_content ?? {}).flatMap(([locale, content]) => {
    const text = textSchema.safeParse(content);
    const isOther = locale !== article.default_locale && /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(locale);
    return isOther && text.success ? [{ key: `${article.id}:${locale}`, text: text.data }] : [];
  });
  return [own, ...others];
}

function refuse({ state, body }: Text): Refusal | null {
  if (state !== 'published') return { code: 'draft', reason: 'The article is not published.' };
  return (body ?? '').trim() === '' ? { code: 'empty', reason: 'The article has no text.' } : null;
}
