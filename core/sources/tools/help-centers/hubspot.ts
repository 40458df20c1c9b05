import { z } from 'zod';
import { findLinkedFiles } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';

const settingsSchema = z.object({
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z\d]{2,8}){0,2}$/i, 'Give a language such as de.')
    .optional()
    .meta({ description: 'Read only posts in this language, such as `de`. Empty: all languages.' }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files of the file manager that posts link to, each as a document of its own.',
  }),
});

const credentialsSchema = z.object({
  access_token: z.string().min(1).meta({
    description:
      'The access token of a private app with the scope content, from HubSpot > Settings > Integrations > Private apps.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/**
 * Published posts of the blogs. HubSpot's API has no list of knowledge articles: a source of the kind website reads those.
 * https://developers.hubspot.com/docs/reference/api/cms/blogs/blog-posts
 */
export const hubspotKind = toolKind<Settings, Credentials>({
  kind: 'hubspot',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { access_token: token } }, tools) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const base = 'https://api.hubapi.com';
    const client = new ToolClient({ name: 'HubSpot', base, headers }, tools);
    return { client, collections: [defineCollection(posts(client, settings), client)] };
  },
});

const postSchema = z.object({
  id: z.string(),
  ...{ name: z.string().nullish(), htmlTitle: z.string().nullish(), postBody: z.string().nullish() },
  ...{ url: z.string().nullish(), language: z.string().nullish(), state: z.string().nullish() },
  ...{ updated: z.string().nullish(), archivedAt: z.union([z.string(), z.number()]).nullish() },
  ...{ password: z.string().nullish(), publicAccessRulesEnabled: z.boolean().nullish() },
});
type Post = z.output<typeof postSchema>;

const listSchema = z.object({
  results: z.array(postSchema),
  paging: z.object({ next: z.object({ after: z.string() }).nullish() }).nullish(),
});

function posts(client: ToolClient, settings: Settings): Collection<Post> {
  return {
    name: '',
    isListedWhole: true,
    async list(cursor) {
      const after = z.string().nullable().parse(cursor) ?? undefined;
      const query = { limit: 100, sort: 'createdAt', language: settings.language, after };
      const { value } = await client.list(listSchema, '/cms/v3/blogs/posts', { query });
      return { records: value.results, next: value.paging?.next?.after ?? null };
    },
    describe: ({ id, name, htmlTitle, url, updated }) => ({
      ...{ id, title: name || htmlTitle, url },
      version: updated ?? undefined,
    }),
    refuse,
    find: (id) => client.item(postSchema, apiPath`/cms/v3/blogs/posts/${id}`),
    content: ({ postBody }) => ({ bytes: postBody ?? '', contentType: 'text/html; charset=utf-8' }),
    attachments({ postBody, url }) {
      if (!settings.attachments) return [];
      const page = URL.parse(url ?? '');
      const isOwn = ({ host, pathname }: URL) =>
        (host === page?.host || /\.(?:hubspotusercontent[\w-]{1,20}\.net|hs-sites\.com)$/.test(host)) &&
        pathname.includes('/hubfs/');
      return findLinkedFiles(postBody ?? '', { base: page?.href ?? 'https://api.hubapi.com', isOwn });
    },
  };
}

function refuse({ state, password, publicAccessRulesEnabled, archivedAt, postBody }: Post): Refusal | null {
  // Posts that are not archived have the year 1970 there.
  if (typeof archivedAt === 'string' && archivedAt > '1971') {
    return { code: 'archived', reason: 'The post is archived.' };
  }
  if (state !== 'PUBLISHED') return { code: 'draft', reason: 'The post is not published.' };
  if ((password ?? '') !== '' || publicAccessRulesEnabled === true) {
    return { code: 'restricted', reason: 'Only some people may see the post.' };
  }
  return (postBody ?? '').trim() === '' ? { code: 'empty', reason: 'The post has no text.' } : null;
}
