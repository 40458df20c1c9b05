import { z } from 'zod';
import { renderArticle } from '../kit/article.ts';
import { findLinkedFiles } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, baseAddress, ToolClient } from '../kit/tool-client.ts';

const settingsSchema = z.object({
  site: baseAddress.meta({ description: 'The address of the forum, such as `https://forum.acme.example`.' }),
  topics: z.enum(['solved', 'all']).default('all').meta({
    description: 'Read only topics with an accepted answer, or all.',
  }),
  category_ids: z.array(z.number().int().positive()).max(100).default([]).meta({
    description:
      'Read only topics of these categories: the numbers at the end of their addresses. Empty: all.',
  }),
  attachments: z.boolean().default(true).meta({
    description: 'Read the files that posts link to as uploads, each as a document of its own.',
  }),
});

const credentialsSchema = z.object({
  api_token: z.string().min(1).optional().meta({
    description:
      'An API key with the scope topics: read, from Admin > Advanced > API keys. Without one, what everybody may see is read.',
    format: 'password',
  }),
  username: z.string().max(100).default('system').meta({
    description: 'The name of the user that the API key acts for. The source reads what they see.',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Topics of a Discourse forum. https://docs.discourse.org/ */
export const discourseKind = toolKind<Settings, Credentials>({
  kind: 'discourse',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { api_token: token, username } }, tools) {
    const headers: Record<string, string> =
      token === undefined ? {} : { 'api-key': token, 'api-username': username };
    const client = new ToolClient({ name: 'Discourse', base: settings.site, headers }, tools);
    return { client, collections: [defineCollection(topics(client, settings), client)] };
  },
});

const topicSchema = z.object({
  ...{ id: z.number().int(), title: z.string(), slug: z.string().nullish() },
  ...{
    posts_count: z.number().nullish(),
    last_posted_at: z.string().nullish(),
    bumped_at: z.string().nullish(),
  },
  ...{ category_id: z.number().nullish(), visible: z.boolean().nullish() },
  ...{ has_accepted_answer: z.boolean().nullish(), deleted_at: z.string().nullish() },
});
const listSchema = z.object({
  topic_list: z.object({ topics: z.array(topicSchema), more_topics_url: z.string().nullish() }),
});
const postSchema = z.object({
  ...{ id: z.number().int(), post_number: z.number().int(), cooked: z.string() },
  ...{
    post_type: z.number().nullish(),
    accepted_answer: z.boolean().nullish(),
    hidden: z.boolean().nullish(),
  },
});
type Post = z.output<typeof postSchema>;
const postsSchema = z.object({ post_stream: z.object({ posts: z.array(postSchema) }) });
const threadSchema = topicSchema.extend({
  post_stream: z.object({ posts: z.array(postSchema), stream: z.array(z.number().int()).default([]) }),
});
const categorySchema = z.object({
  ...{ id: z.number(), name: z.string(), parent_category_id: z.number().nullish() },
});
const siteSchema = z.object({ categories: z.array(categorySchema).default([]) });

interface Thread {
  readonly topic: z.output<typeof topicSchema>;
  /** Absent in the list. */
  readonly posts: readonly Post[];
}

const POSTS_AT_ONCE = 20;
const MOST_POSTS = 1_000;
const REGULAR = 1;

function topics(client: ToolClient, settings: Settings): Collection<Thread> {
  const wanted = new Set(settings.category_ids);
  const names = new CategoryNames(client);
  return {
    name: '',
    /** In the order of their creation: a topic that is answered meanwhile does not change its place. */
    async list(cursor) {
      const page = z.number().parse(cursor ?? 0);
      const query = { order: 'created', ascending: true, no_definitions: true, page };
      const { value } = await client.list(listSchema, '/latest.json', { query });
      const { topics: found, more_topics_url: more = null } = value.topic_list;
      const records = found
        .filter(({ category_id: id }) => wanted.size === 0 || wanted.has(id ?? 0))
        .filter((topic) => settings.topics === 'all' || topic.has_accepted_answer === true)
        .map((topic) => ({ topic, posts: [] }));
      return { records, next: found.length === 0 || more === null ? null : page + 1 };
    },
    describe: ({
      topic: { id, slug, title, posts_count: count, last_posted_at: last, bumped_at: bumped },
    }) => ({
      ...{ id: String(id), title, url: `${settings.site}/t/${slug || 'topic'}/${id}` },
      version: [bumped ?? '', last ?? '', count ?? '', title].join(' '),
    }),
    refuse: ({ topic }) =>
      topic.visible === false ? { code: 'unlisted', reason: 'The topic is not listed in the forum.' } : null,
    async find(id) {
      const path = apiPath`/t/${id}`;
      const topic = await client.item(threadSchema, `${path}.json`);
      if (topic === null || (topic.deleted_at ?? null) !== null) return null;
      return { topic, posts: await loadPosts(client, { path, ...topic.post_stream }) };
    },
    async content({ topic, posts }) {
      const path = await names.findPath(topic.category_id);
      const [first, ...others] = posts.filter(isPublic);
      const replies = [...others].sort((one, other) => rank(one) - rank(other));
      const sections = replies.map((post) => ({
        heading: rank(post) === 0 ? 'Answer' : 'Reply',
        body: post.cooked,
      }));
      const html = renderArticle({ path, body: first?.cooked ?? '', sections });
      return { bytes: html, contentType: 'text/html; charset=utf-8' };
    },
    attachments({ posts }) {
      if (!settings.attachments) return [];
      const { origin } = new URL(settings.site);
      const isOwn = (url: URL) => url.origin === origin && url.pathname.includes('/uploads/');
      const html = posts.filter(isPublic).map(({ cooked }) => cooked);
      return findLinkedFiles(html.join('\n'), { base: settings.site, isOwn });
    },
  };
}

interface Stream {
  readonly path: string;
  readonly posts: readonly Post[];
  /** The ids of all posts of the topic; it comes with the first of them only. */
  readonly stream: readonly number[];
}

async function loadPosts(client: ToolClient, { path, posts, stream }: Stream): Promise<readonly Post[]> {
  const found = new Map(posts.map((post) => [post.id, post]));
  const missing = stream.slice(0, MOST_POSTS).filter((id) => !found.has(id));
  for (let at = 0; at < missing.length; at += POSTS_AT_ONCE) {
    const ids = missing.slice(at, at + POSTS_AT_ONCE).map((id) => `post_ids[]=${id}`);
    const answer = await client.item(postsSchema, `${path}/posts.json?${ids.join('&')}`);
    for (const post of answer?.post_stream.posts ?? []) found.set(post.id, post);
  }
  return [...found.values()].sort((one, other) => one.post_number - other.post_number);
}

/** Whispers and notes of moderators are of other types. */
function isPublic({ post_type: type, hidden }: Post): boolean {
  return (type ?? REGULAR) === REGULAR && hidden !== true;
}

function rank({ accepted_answer: isAccepted }: Post): number {
  return isAccepted === true ? 0 : 1;
}

/** The names of categories, which come with the site. */
class CategoryNames {
  readonly #client: ToolClient;
  #categories: ReadonlyMap<number, z.output<typeof categorySchema>> | undefined;

  constructor(client: ToolClient) {
    this.#client = client;
  }

  async findPath(id: number | null | undefined): Promise<readonly string[]> {
    this.#categories ??= new Map(
      ((await this.#client.item(siteSchema, '/site.json'))?.categories ?? []).map((one) => [one.id, one]),
    );
    const own = this.#categories.get(id ?? 0);
    const outer = this.#categories.get(own?.parent_category_id ?? 0);
    return [outer?.name ?? '', own?.name ?? ''];
  }
}
