import { z } from 'zod';
import type { Json } from '../../contract/account.ts';
import type {
  KnownItem,
  ListedItem,
  ListedPage,
  ReadResult,
  SkippedItem,
  SourceKind,
  SourceReader,
  SourceTools,
} from '../source-reader.ts';
import { apiPath, ToolClient } from './tool-client.ts';

const settingsSchema = z.object({
  region: z.enum(['us', 'eu', 'au']).default('us').meta({
    description: 'Where your Intercom workspace is hosted: Settings > Workspace > General.',
  }),
  translations: z.boolean().default(false).meta({
    description: 'Read the published translations of each article too, each as a document of its own.',
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
export const intercomKind: SourceKind<Settings, Credentials> = {
  kind: 'intercom',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new IntercomReader(values, tools),
};

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
  /** The translations by language, with other fields in between. */
  translated_content: z.record(z.string(), z.unknown()).nullish(),
});
type Article = z.output<typeof articleSchema>;
type Text = z.output<typeof textSchema>;

const listSchema = z.object({
  data: z.array(articleSchema),
  pages: z.object({ page: z.number(), total_pages: z.number() }).nullish(),
});
const cursorSchema = z.number().int();

class IntercomReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const authorization = `Bearer ${credentials.access_token}`;
    const headers = { authorization, accept: 'application/json', 'intercom-version': '2.11' };
    this.#client = new ToolClient({ name: 'Intercom', base: bases[settings.region], headers }, tools);
    this.#settings = settings;
  }

  /**
   * The latest change comes first, as Intercom sorts: an article that is changed meanwhile is listed twice and not
   * missed.
   */
  async list(cursor: Json | null): Promise<ListedPage> {
    const page = cursorSchema.parse(cursor ?? 1);
    const { value } = await this.#client.list(listSchema, '/articles', { query: { page, per_page: 50 } });
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    for (const article of value.data) {
      for (const [key, text] of this.#textsOf(article)) {
        const item = toItem(key, text);
        const reason = reasonAgainst(text);
        if (reason === null) items.push(item);
        else leftOut.push({ ...item, ...reason });
      }
    }
    const isEnd = value.data.length === 0 || page >= (value.pages?.total_pages ?? page);
    return { items, leftOut, next: isEnd ? null : page + 1 };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const [id = ''] = key.split(':', 1);
    const article = await this.#client.item(articleSchema, apiPath`/articles/${id}`);
    const text = article === null ? undefined : this.#textsOf(article).get(key);
    if (text === undefined) return { kind: 'gone' };
    const reason = reasonAgainst(text);
    if (reason !== null) return { kind: 'skipped', ...reason };
    const { title, url } = toItem(key, text);
    return {
      kind: 'content',
      bytes: Buffer.from(text.body ?? ''),
      contentType: 'text/html; charset=utf-8',
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
    };
  }

  /** The article in its own language and, if requested, in the others. */
  #textsOf(article: Article): ReadonlyMap<string, Text> {
    const texts = new Map<string, Text>([[article.id, article]]);
    if (!this.#settings.translations) return texts;
    for (const [locale, content] of Object.entries(article.translated_content ?? {})) {
      const text = textSchema.safeParse(content);
      const isOther = locale !== article.default_locale && /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(locale);
      if (isOther && text.success) texts.set(`${article.id}:${locale}`, text.data);
    }
    return texts;
  }
}

function reasonAgainst({ state, body }: Text): { readonly code: string; readonly reason: string } | null {
  if (state !== 'published') return { code: 'draft', reason: 'The article is not published.' };
  return (body ?? '').trim() === '' ? { code: 'empty', reason: 'The article has no text.' } : null;
}

function toItem(key: string, { title, url, updated_at: updated }: Text): ListedItem {
  return {
    key,
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof url === 'string' && { url }),
    ...(typeof updated === 'number' && { version: String(updated) }),
  };
}
