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
  attachments: z.boolean().default(true).meta({
    description:
      'Read the files of the articles too, each as a document of its own. This takes one more request for each article that has changed.',
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
export const zendeskKind = toolKind<Settings, Credentials>({
  kind: 'zendesk',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { email, api_token: token } }, tools) {
    const authorization = `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`;
    const base = `https://${settings.subdomain.toLowerCase()}.zendesk.com`;
    const client = new ToolClient({ name: 'Zendesk', base, headers: { authorization } }, tools);
    return { client, collections: [defineCollection(articles(client, settings), client)] };
  },
});

const articleSchema = z.object({
  id: z.number().int(),
  html_url: z.string().nullish(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  updated_at: z.string(),
  edited_at: z.string().nullish(),
  section_id: z.number().int().nullish(),
  user_segment_id: z.number().int().nullish(),
  user_segment_ids: z.array(z.number().int()).nullish(),
});
type Article = z.output<typeof articleSchema>;

const placeSchema = z.object({
  id: z.number().int(),
  name: z.string().nullish(),
  category_id: z.number().int().nullish(),
  parent_section_id: z.number().int().nullish(),
});
type Place = z.output<typeof placeSchema>;

/** The sections and categories of the articles come along with them. */
const placesSchema = z.object({
  sections: z.array(placeSchema).nullish(),
  categories: z.array(placeSchema).nullish(),
});
const pageSchema = z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() });
const listSchema = placesSchema.extend({ articles: z.array(articleSchema), meta: pageSchema });
const answerSchema = placesSchema.extend({ article: articleSchema });
const fileSchema = z.object({
  ...{ id: z.number().int(), file_name: z.string(), content_url: z.string() },
  ...{ content_type: z.string().nullish(), size: z.number().nullish(), updated_at: z.string().nullish() },
});
const filesSchema = z.object({ article_attachments: z.array(fileSchema), meta: pageSchema.optional() });

interface PlacedArticle {
  readonly article: Article;
  /** Category, then sections. */
  readonly path: readonly string[];
}

const include = 'sections,categories';
const MOST_SECTIONS = 10;
const MOST_FILE_PAGES = 3;

function articles(client: ToolClient, settings: Settings): Collection<PlacedArticle> {
  const { locale, restricted } = settings;
  const root = `/api/v2/help_center${locale === undefined ? '' : apiPath`/${locale.toLowerCase()}`}`;
  return {
    name: '',
    isListedWhole: true,
    async list(cursor) {
      const query = { 'page[size]': 100, sort_by: 'created_at', sort_order: 'asc', include };
      const { value } = await client.list(listSchema, `${root}/articles.json`, {
        query: { ...query, 'page[after]': cursorSchema.parse(cursor) ?? undefined },
      });
      const records = value.articles.map((article) => ({ article, path: pathOf(article, value) }));
      return { records, next: nextCursor(value.meta) };
    },
    describe: ({ article }) => ({
      id: String(article.id),
      title: article.title,
      url: article.html_url,
      // The user segments of an article change without a change of its times.
      version: [article.updated_at, article.edited_at ?? '', ...segmentsOf(article)].join(' '),
    }),
    refuse: ({ article }) => refuse(article, settings),
    async find(id) {
      const path = `${root}${apiPath`/articles/${id}`}.json`;
      const answer = await client.item(answerSchema, path, { query: { include } });
      return answer === null ? null : { article: answer.article, path: pathOf(answer.article, answer) };
    },
    content: ({ article, path }) => ({
      bytes: renderArticle({ path, body: article.body ?? '' }),
      contentType: 'text/html; charset=utf-8',
    }),
    audience({ article }) {
      const segments = segmentsOf(article);
      if (restricted !== 'audience' || segments.length === 0) return undefined;
      return segments.map((id) => `zendesk_segment_${id}`);
    },
    async attachments({ article }) {
      if (!settings.attachments) return [];
      const path = `${root}${apiPath`/articles/${article.id}/attachments`}.json`;
      const files = await collectPages(MOST_FILE_PAGES, async (after) => {
        const query = { 'page[size]': 100, 'page[after]': after ?? undefined };
        const answer = await client.item(filesSchema, path, { query });
        const { article_attachments: values = [], meta = { has_more: false } } = answer ?? {};
        return { values, next: nextCursor(meta) };
      });
      return files.map(toAttachment);
    },
  };
}

const cursorSchema = z.string().nullable();

function nextCursor({ has_more: hasMore, after_cursor: after }: z.output<typeof pageSchema>): string | null {
  return hasMore ? (after ?? null) : null;
}

function refuse(article: Article, { restricted }: Settings): Refusal | null {
  if (article.draft === true) return { code: 'draft', reason: 'The article is a draft.' };
  if ((article.body ?? '').trim() === '') return { code: 'empty', reason: 'The article has no text.' };
  if (restricted !== 'leave_out' || segmentsOf(article).length === 0) return null;
  return { code: 'restricted', reason: 'Only a user segment of Zendesk may see the article.' };
}

function segmentsOf({ user_segment_id: one, user_segment_ids: more }: Article): readonly number[] {
  return [...new Set([...(one === null || one === undefined ? [] : [one]), ...(more ?? [])])];
}

/** Returns the names of the category and the sections of an article, outermost first. */
function pathOf(
  article: Article,
  { sections, categories }: z.output<typeof placesSchema>,
): readonly string[] {
  const names: string[] = [];
  const find = (places: readonly Place[] | null | undefined, id: number | null | undefined) =>
    places?.find((place) => place.id === id);
  let section = find(sections, article.section_id);
  for (let depth = 0; section !== undefined && depth < MOST_SECTIONS; depth += 1) {
    names.unshift(section.name ?? '');
    const outer = find(sections, section.parent_section_id);
    if (outer === undefined) names.unshift(find(categories, section.category_id)?.name ?? '');
    section = outer;
  }
  return names;
}

function toAttachment(file: z.output<typeof fileSchema>): Attachment {
  const { id, file_name: name, content_type: contentType, size: bytes, content_url: address } = file;
  const version = `${file.updated_at ?? ''} ${bytes ?? ''}`;
  return { id: String(id), name, contentType, bytes, version, address, url: address };
}
