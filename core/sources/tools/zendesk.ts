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
  subdomain: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,62}$/i, 'Give the subdomain alone, without zendesk.com.')
    .meta({ description: 'The first part of your Zendesk address: `acme` for acme.zendesk.com.' }),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z\d]{2,8}){0,3}$/i, 'Give a locale such as en-us.')
    .optional()
    .meta({
      description:
        'The language of the articles, such as `en-us` or `de`, as in the address of your help center. Empty: the language in which each article was written first. Add a source for each further language.',
    }),
  restricted: z.enum(['leave_out', 'audience', 'include']).default('leave_out').meta({
    description:
      'Articles that only a user segment may see. `leave_out`: they are not read. `audience`: they get the audience tag `zendesk_segment_` followed by the id of the segment. `include`: they are read like all others.',
  }),
});

const credentialsSchema = z.object({
  email: z.email().meta({
    description:
      'The email address of the agent to whom the API token belongs. They see what the source reads.',
  }),
  api_token: z.string().min(1).meta({
    description: 'From Admin Center > Apps and integrations > APIs > API tokens.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The articles of a Zendesk help center. https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/ */
export const zendeskKind: SourceKind<Settings, Credentials> = {
  kind: 'zendesk',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new ZendeskReader(values, tools),
};

const articleSchema = z.object({
  id: z.number().int(),
  html_url: z.string().nullish(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  updated_at: z.string(),
  edited_at: z.string().nullish(),
  user_segment_id: z.number().int().nullish(),
  user_segment_ids: z.array(z.number().int()).nullish(),
});

type Article = z.output<typeof articleSchema>;

const listSchema = z.object({
  articles: z.array(articleSchema),
  meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }),
});
const answerSchema = z.object({ article: articleSchema });
const cursorSchema = z.string().nullable();

class ZendeskReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;
  /** The address in front of the names of resources. */
  readonly #root: string;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const { email, api_token: token } = credentials;
    const authorization = `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`;
    const base = `https://${settings.subdomain.toLowerCase()}.zendesk.com`;
    this.#client = new ToolClient({ name: 'Zendesk', base, headers: { authorization } }, tools);
    this.#settings = settings;
    this.#root = `/api/v2/help_center${settings.locale === undefined ? '' : apiPath`/${settings.locale.toLowerCase()}`}`;
  }

  async list(cursor: Json | null): Promise<ListedPage> {
    const after = cursorSchema.parse(cursor);
    const query = { 'page[size]': 100, sort_by: 'created_at', sort_order: 'asc' };
    const { value } = await this.#client.list(listSchema, `${this.#root}/articles.json`, {
      query: { ...query, 'page[after]': after ?? undefined },
    });
    const items: ListedItem[] = [];
    const leftOut: SkippedItem[] = [];
    for (const article of value.articles) {
      const reason = this.#reasonAgainst(article);
      const item = toItem(article);
      if (reason === null) items.push(item);
      else leftOut.push({ ...item, ...reason });
    }
    const next = value.meta.has_more ? (value.meta.after_cursor ?? null) : null;
    // Following the same cursor again would never end.
    return { items, leftOut, next: next === after ? null : next };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const answer = await this.#client.item(answerSchema, `${this.#root}${apiPath`/articles/${key}`}.json`);
    if (answer === null) return { kind: 'gone' };
    const { article } = answer;
    const reason = this.#reasonAgainst(article);
    if (reason !== null) return { kind: 'skipped', ...reason };
    const { title, url } = toItem(article);
    return {
      kind: 'content',
      bytes: Buffer.from(article.body ?? ''),
      contentType: 'text/html; charset=utf-8',
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
      ...this.#audienceOf(article),
    };
  }

  #reasonAgainst(article: Article): { readonly code: string; readonly reason: string } | null {
    if (article.draft === true) return { code: 'draft', reason: 'The article is a draft.' };
    if ((article.body ?? '').trim() === '') return { code: 'empty', reason: 'The article has no text.' };
    if (this.#settings.restricted !== 'leave_out' || segmentsOf(article).length === 0) return null;
    return { code: 'restricted', reason: 'Only a user segment of Zendesk may see the article.' };
  }

  #audienceOf(article: Article): { readonly audience?: readonly string[] } {
    const segments = segmentsOf(article);
    if (this.#settings.restricted !== 'audience' || segments.length === 0) return {};
    return { audience: segments.map((id) => `zendesk_segment_${id}`) };
  }
}

function segmentsOf({ user_segment_id: one, user_segment_ids: more }: Article): readonly number[] {
  return [...new Set([...(one === null || one === undefined ? [] : [one]), ...(more ?? [])])];
}

function toItem(article: Article): ListedItem {
  const { id, html_url: url, title, updated_at: updated, edited_at: edited } = article;
  return {
    key: String(id),
    ...(url !== null && url !== undefined && { url }),
    ...(title !== null && title !== undefined && { title }),
    // The user segments of an article change without a change of its times.
    version: [updated, edited ?? '', ...segmentsOf(article)].join(' '),
  };
}
