import { z } from 'zod';
import type { GuardedResponse } from '../../../base/http-client.ts';
import type { Json } from '../../../contract/account.ts';
import { SourceError } from '../../source-reader.ts';
import { findFilesInMarkdown } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Attachment, Collection } from '../kit/declaration.ts';
import { collectPages } from '../kit/pages.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, baseAddress, nextQuery, ToolClient, wordsOf } from '../kit/tool-client.ts';
import {
  branchName,
  folderPath,
  isDocumentation,
  openFolder,
  type RepositoryFile,
  renderThread,
  repositoryFile,
  type ThreadPost,
  webPath,
} from './repository.ts';

const settingsSchema = z.object({
  repository: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/i, 'Give it as owner/name.')
    .meta({ description: 'The repository as `owner/name`.' }),
  files: z.boolean().default(true).meta({
    description:
      'Read the documentation files of the repository: Markdown, reStructuredText, AsciiDoc, notebooks and descriptions of APIs.',
  }),
  branch: branchName.optional().meta({ description: 'Empty: the default branch of the repository.' }),
  folder: folderPath.optional().meta({
    description: 'Read only the files below this folder, such as `docs`. Empty: the whole repository.',
  }),
  issues: z.enum(['none', 'closed', 'all']).default('none').meta({
    description: 'Read issues with their comments: none, those that are closed, or all.',
  }),
  discussions: z.enum(['none', 'answered', 'all']).default('none').meta({
    description:
      'Read discussions with their comments: none, those with an accepted answer, or all. This needs a token.',
  }),
  attachments: z.boolean().default(true).meta({
    description:
      'Read the files that issues and discussions link to as attachments, each as a document of its own.',
  }),
  server: baseAddress.optional().meta({
    description: 'Only for GitHub Enterprise Server: its address, such as `https://github.acme.example`.',
  }),
});

const credentialsSchema = z.object({
  token: z.string().min(1).optional().meta({
    description:
      'A fine-grained personal access token that may read contents (and issues and discussions, if you choose them) of the repository: GitHub > Settings > Developer settings. Without one, public repositories can be read slowly.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Files, issues and discussions of a repository. https://docs.github.com/en/rest, https://docs.github.com/en/graphql */
export const githubKind = toolKind<Settings, Credentials>({
  kind: 'github',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { token } }, tools) {
    const { server, repository, issues, discussions } = settings;
    const headers = {
      ...{ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const base = server === undefined ? 'https://api.github.com' : `${server}/api`;
    const client = new ToolClient({ name: 'GitHub', base, headers, isLimited }, tools);
    const place: Place = {
      ...{ client, settings, web: `${server ?? 'https://github.com'}/${repository}` },
      api: `${server === undefined ? '' : '/v3'}/repos/${repository}`,
    };
    return {
      client,
      collections: [
        ...(settings.files ? [defineCollection(repositoryFiles(place), client)] : []),
        ...(issues === 'none' ? [] : [defineCollection(repositoryIssues(place), client)]),
        ...(discussions === 'none' ? [] : [defineCollection(repositoryDiscussions(place), client)]),
      ],
    };
  },
});

interface Place {
  readonly client: ToolClient;
  readonly settings: Settings;
  /** Addresses of the repository for people, and in the API. */
  readonly web: string;
  readonly api: string;
}

const nullableText = z.string().nullish();
const repositorySchema = z.object({ default_branch: z.string() });
const branchSchema = z.object({
  commit: z.object({ commit: z.object({ tree: z.object({ sha: z.string() }) }) }),
});
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string(), mode: z.string() })),
  truncated: z.boolean(),
});
const issueSchema = z.object({
  ...{ number: z.number().int(), title: z.string(), html_url: z.string(), updated_at: z.string() },
  ...{ body: nullableText, pull_request: z.unknown().optional(), state: z.string() },
});
type Issue = z.output<typeof issueSchema>;
const commentsSchema = z.array(z.object({ body: nullableText }));
const discussionSchema = z.object({
  ...{ number: z.number().int(), title: z.string(), url: z.string(), updatedAt: z.string() },
});
type Discussion = z.output<typeof discussionSchema>;
const discussionsSchema = z.object({
  data: z.object({
    repository: z
      .object({
        discussions: z.object({
          nodes: z.array(discussionSchema),
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: nullableText }),
        }),
      })
      .nullable(),
  }),
});
const discussionTextSchema = z.object({
  data: z.object({
    repository: z
      .object({
        discussion: discussionSchema
          .extend({
            body: z.string(),
            answer: z.object({ body: z.string() }).nullish(),
            comments: z.object({
              nodes: z.array(
                z.object({
                  body: z.string(),
                  isAnswer: z.boolean().nullish(),
                  replies: z.object({ nodes: z.array(z.object({ body: z.string() })) }).nullish(),
                }),
              ),
              pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: nullableText }).nullish(),
            }),
          })
          .nullable(),
      })
      .nullable(),
  }),
});

/** Trees that are left to list, next one last: those that are too large for one answer are listed folder by folder. */
const treesSchema = z.array(z.object({ path: z.string(), sha: z.string() }));
const filesCursor = z.object({ branch: z.string(), trees: treesSchema });
const issuesCursor = z.record(z.string(), z.string());

const PAGE_SIZE = 100;
const MOST_COMMENT_PAGES = 10;
const rawType = 'application/vnd.github.raw+json';

function repositoryFiles({ client, settings, web, api }: Place): Collection<RepositoryFile> {
  const folder = openFolder(settings.folder);
  const start = async () => {
    const branch = settings.branch ?? (await client.list(repositorySchema, api)).value.default_branch;
    const { value } = await client.list(branchSchema, `${api}${apiPath`/branches/${branch}`}`);
    return { branch, trees: [{ path: '', sha: value.commit.commit.tree.sha }] };
  };
  return {
    name: 'file',
    async list(cursor) {
      const { branch, trees } = cursor === null ? await start() : filesCursor.parse(cursor);
      const left = [...trees];
      const current = left.pop();
      if (current === undefined) return { records: [], next: null };
      const { tree, isWhole } = await listTree({ client, api }, current.sha);
      const prefix = current.path === '' ? '' : `${current.path}/`;
      const entries = tree.map((entry) => ({ ...entry, path: prefix + entry.path }));
      if (!isWhole) {
        left.push(...entries.filter(({ type, path }) => type === 'tree' && folder.leadsTo(path)));
      }
      const records = entries
        .filter(({ type, mode }) => type === 'blob' && mode !== '120000')
        .filter(({ path }) => folder.holds(path) && isDocumentation(path))
        .map(({ path, sha }) => ({
          path,
          blob: sha,
          url: `${web}/blob/${webPath(branch)}/${webPath(path)}`,
        }));
      const open = left.map(({ path, sha }) => ({ path, sha }));
      return { records, next: left.length === 0 ? null : { branch, trees: open } };
    },
    describe: ({ path, url, blob }) => ({ id: path, url, version: blob }),
    find: async (path, { version = '', url }) => ({ path, blob: version, url }),
    /** Reads the very blob that was listed. A file that was named as changed has none: it is read by its path. */
    async content({ path, blob }) {
      const headers = { accept: rawType };
      const parts = path.split('/').map((part) => apiPath`${part}`);
      const response =
        blob === ''
          ? await client.bytes(`${api}/contents/${parts.join('/')}`, {
              headers,
              query: { ref: settings.branch },
            })
          : await client.bytes(`${api}${apiPath`/git/blobs/${blob}`}`, { headers });
      return response === null ? null : repositoryFile(path, response.bytes);
    },
  };
}

async function listTree({ client, api }: Pick<Place, 'client' | 'api'>, sha: string) {
  const path = `${api}${apiPath`/git/trees/${sha}`}`;
  const { value: whole } = await client.list(treeSchema, path, { query: { recursive: 1 } });
  if (!whole.truncated) return { tree: whole.tree, isWhole: true };
  const { value } = await client.list(treeSchema, path);
  if (!value.truncated) return { tree: value.tree, isWhole: false };
  throw new SourceError('too_large', 'A folder of the repository has more files than GitHub lists.');
}

interface Discussed<Record> {
  readonly record: Record;
  readonly text: string;
  /** The posts, which are loaded with the record itself and not with the list. */
  readonly posts: readonly ThreadPost[];
}

function repositoryIssues(place: Place): Collection<Discussed<Issue>> {
  const { client, settings, api } = place;
  return {
    name: 'issue',
    async list(cursor) {
      const state = settings.issues === 'all' ? 'all' : 'closed';
      const first = { state, sort: 'created', direction: 'asc', per_page: String(PAGE_SIZE) };
      const query = cursor === null ? first : issuesCursor.parse(cursor);
      const { value, response } = await client.list(z.array(issueSchema), `${api}/issues`, { query });
      // Pull requests are listed as issues.
      const issues = value.filter((issue) => issue.pull_request === undefined);
      const next = nextQuery(response);
      const more = ['page', 'after'].flatMap((name) => {
        const part = next?.get(name) ?? null;
        return part === null ? [] : [[name, part]];
      });
      const records = issues.map((record) => ({ record, text: record.body ?? '', posts: [] }));
      return { records, next: more.length === 0 ? null : { ...query, ...Object.fromEntries(more) } };
    },
    describe: ({ record: { number, title, html_url: url, updated_at: version } }) => {
      return { id: String(number), title, url, version };
    },
    async find(id) {
      const path = `${api}${apiPath`/issues/${id}`}`;
      const record = await client.item(issueSchema, path);
      if (record === null) return null;
      const comments = await collectPages(MOST_COMMENT_PAGES, async (page) => {
        const query = { per_page: PAGE_SIZE, page: Number(page ?? 1) };
        const values = (await client.item(commentsSchema, `${path}/comments`, { query })) ?? [];
        return { values, next: values.length < PAGE_SIZE ? null : String(query.page + 1) };
      });
      return { record, text: record.body ?? '', posts: comments.map(({ body }) => ({ text: body ?? '' })) };
    },
    content: ({ record, text, posts }) => renderThread({ title: record.title, text, posts }),
    attachments: (discussed) => attachedFiles(place, discussed),
  };
}

function repositoryDiscussions(place: Place): Collection<Discussed<Discussion>> {
  const { client, settings } = place;
  const [owner = '', name = ''] = settings.repository.split('/');
  return {
    name: 'discussion',
    async list(cursor) {
      const after = z.string().nullable().parse(cursor);
      const answered = settings.discussions === 'answered' ? true : null;
      const request = graphqlRequest(discussionsQuery, { owner, name, after, answered });
      const { value, response } = await client.list(discussionsSchema, '/graphql', request);
      const { repository } = value.data;
      if (repository === null)
        throw new SourceError('source_missing', `GitHub answers: ${wordsOf(response)}`);
      const { nodes, pageInfo } = repository.discussions;
      const records = nodes.map((record) => ({ record, text: '', posts: [] }));
      return { records, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
    },
    describe: ({ record: { number, title, url, updatedAt: version } }) => {
      return { id: String(number), title, url, version };
    },
    async find(id) {
      let found: (Discussion & { readonly body: string; readonly answer: string | null }) | null = null;
      const comments = await collectPages(MOST_COMMENT_PAGES, async (after) => {
        const request = graphqlRequest(discussionQuery, { owner, name, number: Number(id), after });
        const answer = await client.item(discussionTextSchema, '/graphql', request);
        const discussion = answer?.data.repository?.discussion ?? null;
        if (discussion === null) return { values: [], next: null };
        found ??= { ...discussion, answer: discussion.answer?.body ?? null };
        const { nodes, pageInfo } = discussion.comments;
        return { values: nodes, next: pageInfo?.hasNextPage === true ? (pageInfo.endCursor ?? null) : null };
      });
      return found === null ? null : toDiscussed(found, comments);
    },
    content: ({ record, text, posts }) => renderThread({ title: record.title, text, posts }),
    attachments: (discussed) => attachedFiles(place, discussed),
  };
}

interface Comment {
  readonly body: string;
  readonly isAnswer?: boolean | null | undefined;
  readonly replies?: { readonly nodes: readonly { readonly body: string }[] } | null | undefined;
}

/** The accepted answer comes first; the replies to it follow as those to others do. */
function toDiscussed(
  discussion: Discussion & { readonly body: string; readonly answer: string | null },
  comments: readonly Comment[],
): Discussed<Discussion> {
  const { body: text, answer, ...record } = discussion;
  const posts = comments.flatMap(({ body, isAnswer, replies }) => [
    ...(isAnswer === true ? [] : [{ text: body }]),
    ...(replies?.nodes ?? []).map((reply) => ({ text: reply.body })),
  ]);
  return { record, text, posts: answer === null ? posts : [{ text: answer, isAnswer: true }, ...posts] };
}

/** Files that people drop into a text. Pictures are left out. */
function attachedFiles(
  { settings, web }: Place,
  { text, posts }: Pick<Discussed<unknown>, 'text' | 'posts'>,
): readonly Attachment[] {
  if (!settings.attachments) return [];
  const all = [text, ...posts.map((post) => post.text)].join('\n');
  const { origin, pathname } = new URL(web);
  return findFilesInMarkdown(all, {
    base: web,
    isOwn: (url) =>
      url.origin === origin &&
      (url.pathname.startsWith('/user-attachments/files/') || url.pathname.startsWith(`${pathname}/files/`)),
  });
}

const discussionsQuery = `query ($owner: String!, $name: String!, $after: String, $answered: Boolean) {
  repository(owner: $owner, name: $name) {
    discussions(first: 100, after: $after, answered: $answered, orderBy: { field: CREATED_AT, direction: ASC }) {
      nodes { number title url updatedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const discussionQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) {
      number title url updatedAt body
      answer { body }
      comments(first: 50, after: $after) {
        nodes { body isAnswer replies(first: 50) { nodes { body } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

function graphqlRequest(query: string, variables: Readonly<Record<string, Json>>) {
  const body = JSON.stringify({ query, variables });
  return { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body };
}

/** GitHub answers 403 for its limits, too: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function isLimited(response: GuardedResponse, words: () => string): boolean {
  const { status, headers, url } = response;
  if (status === 200) return url.endsWith('/graphql') && /rate limit/i.test(words());
  if (status !== 403) return false;
  return (
    headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0' || /rate limit/i.test(words())
  );
}
