import { z } from 'zod';
import type { GuardedResponse } from '../../base/http-client.ts';
import type { Json } from '../../contract/account.ts';
import {
  type KnownItem,
  type ListedItem,
  type ListedPage,
  type ReadResult,
  SourceError,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import {
  branchName,
  folderPath,
  isMarkdown,
  markdownFile,
  openFolder,
  renderThread,
  type ThreadPost,
  webPath,
} from './repository.ts';
import { apiPath, baseAddress, nextQuery, ToolClient, wordsOf } from './tool-client.ts';

const settingsSchema = z.object({
  repository: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/i, 'Give it as owner/name.')
    .meta({ description: 'The repository as `owner/name`.' }),
  files: z.boolean().default(true).meta({ description: 'Read the Markdown files of the repository.' }),
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

/** Markdown, issues and discussions of a repository. https://docs.github.com/en/rest, https://docs.github.com/en/graphql */
export const githubKind: SourceKind<Settings, Credentials> = {
  kind: 'github',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open: (values, tools) => new GitHubReader(values, tools),
};

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
const commentsSchema = z.array(z.object({ body: nullableText }));
const discussionSchema = z.object({
  ...{ number: z.number().int(), title: z.string(), url: z.string(), updatedAt: z.string() },
});
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
              nodes: z.array(z.object({ body: z.string(), isAnswer: z.boolean().nullish() })),
            }),
          })
          .nullable(),
      })
      .nullable(),
  }),
});

/**
 * Trees that are still to be listed, next one last: those that are too large for one answer are listed folder by
 * folder.
 */
const treesSchema = z.array(z.object({ path: z.string(), sha: z.string() }));
const cursorSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('files'), branch: z.string(), trees: treesSchema }),
  z.object({ step: z.literal('issues'), query: z.record(z.string(), z.string()) }),
  z.object({ step: z.literal('discussions'), after: z.string().nullable() }),
]);
type Cursor = z.output<typeof cursorSchema>;

const PAGE_SIZE = 100;
const MOST_COMMENT_PAGES = 5;
const rawType = 'application/vnd.github.raw+json';

class GitHubReader implements SourceReader {
  readonly isComplete = true;
  readonly #client: ToolClient;
  readonly #settings: Settings;
  readonly #web: string;
  readonly #api: string;

  constructor(
    { settings, credentials }: { readonly settings: Settings; readonly credentials: Credentials },
    tools: SourceTools,
  ) {
    const { server, repository } = settings;
    const headers = {
      ...{ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      ...(credentials.token !== undefined && { authorization: `Bearer ${credentials.token}` }),
    };
    const base = server === undefined ? 'https://api.github.com' : `${server}/api`;
    this.#client = new ToolClient({ name: 'GitHub', base, headers, isLimited }, tools);
    this.#settings = settings;
    this.#web = `${server ?? 'https://github.com'}/${repository}`;
    this.#api = `${server === undefined ? '' : '/v3'}/repos/${repository}`;
  }

  async list(value: Json | null): Promise<ListedPage> {
    const cursor = value === null ? await this.#start() : cursorSchema.parse(value);
    if (cursor === null) return { items: [], next: null };
    if (cursor.step === 'files') return this.#listFiles(cursor);
    if (cursor.step === 'issues') return this.#listIssues(cursor.query);
    return this.#listDiscussions(cursor.after);
  }

  async read(item: KnownItem): Promise<ReadResult> {
    const [kind = '', ...rest] = item.key.split(':');
    const id = rest.join(':');
    if (kind === 'file') return this.#readFile(item, id);
    if (kind === 'issue') return this.#readIssue(id);
    return this.#readDiscussion(Number(id));
  }

  async #start(): Promise<Cursor | null> {
    if (!this.#settings.files) return this.#after('files');
    const branch =
      this.#settings.branch ?? (await this.#client.list(repositorySchema, this.#api)).value.default_branch;
    const { value } = await this.#client.list(branchSchema, `${this.#api}${apiPath`/branches/${branch}`}`);
    return { step: 'files', branch, trees: [{ path: '', sha: value.commit.commit.tree.sha }] };
  }

  /** Returns the start of the list that follows a step. */
  #after(step: Cursor['step']): Cursor | null {
    const { issues, discussions } = this.#settings;
    if (step === 'files' && issues !== 'none') {
      const state = issues === 'all' ? 'all' : 'closed';
      return {
        step: 'issues',
        query: { state, sort: 'created', direction: 'asc', per_page: String(PAGE_SIZE) },
      };
    }
    return step !== 'discussions' && discussions !== 'none' ? { step: 'discussions', after: null } : null;
  }

  async #listFiles({ branch, trees }: Extract<Cursor, { readonly step: 'files' }>): Promise<ListedPage> {
    const folder = openFolder(this.#settings.folder);
    const left = [...trees];
    const items: ListedItem[] = [];
    const current = left.pop();
    if (current !== undefined) {
      const { tree, isWhole } = await this.#listTree(current.sha);
      const prefix = current.path === '' ? '' : `${current.path}/`;
      for (const { path: name, type, sha, mode } of tree) {
        const path = prefix + name;
        if (type === 'tree' && !isWhole && folder.leadsTo(path)) left.push({ path, sha });
        if (type !== 'blob' || mode === '120000' || !folder.holds(path) || !isMarkdown(path)) continue;
        items.push({
          key: `file:${path}`,
          url: `${this.#web}/blob/${webPath(branch)}/${webPath(path)}`,
          version: sha,
        });
      }
    }
    const next = left.length === 0 ? this.#after('files') : { step: 'files' as const, branch, trees: left };
    return { items, next };
  }

  async #listTree(sha: string) {
    const path = `${this.#api}${apiPath`/git/trees/${sha}`}`;
    const { value: whole } = await this.#client.list(treeSchema, path, { query: { recursive: 1 } });
    if (!whole.truncated) return { tree: whole.tree, isWhole: true };
    const { value } = await this.#client.list(treeSchema, path);
    if (!value.truncated) return { tree: value.tree, isWhole: false };
    throw new SourceError('too_large', 'A folder of the repository has more files than GitHub lists.');
  }

  async #listIssues(query: Readonly<Record<string, string>>): Promise<ListedPage> {
    const { value, response } = await this.#client.list(z.array(issueSchema), `${this.#api}/issues`, {
      query,
    });
    // Pull requests are listed as issues.
    const items = value
      .filter((issue) => issue.pull_request === undefined)
      .map(({ number, title, html_url: url, updated_at: version }) => ({
        key: `issue:${number}`,
        url,
        title,
        version,
      }));
    const next = nextQuery(response);
    const more = ['page', 'after'].flatMap((name) => {
      const part = next?.get(name);
      return part === null || part === undefined ? [] : [[name, part]];
    });
    const continued = { step: 'issues' as const, query: { ...query, ...Object.fromEntries(more) } };
    return { items, next: more.length === 0 ? this.#after('issues') : continued };
  }

  async #listDiscussions(after: string | null): Promise<ListedPage> {
    const answered = this.#settings.discussions === 'answered' ? true : null;
    const request = graphqlRequest(discussionsQuery, { ...this.#names(), after, answered });
    const { value, response } = await this.#client.list(discussionsSchema, '/graphql', request);
    const { repository } = value.data;
    if (repository === null) {
      throw new SourceError('source_missing', `GitHub answers: ${wordsOf(response)}`);
    }
    const { nodes, pageInfo } = repository.discussions;
    const items = nodes.map(({ number, title, url, updatedAt: version }) => {
      return { key: `discussion:${number}`, url, title, version };
    });
    const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    return { items, next: next === null || next === after ? null : { step: 'discussions', after: next } };
  }

  #names() {
    const [owner = '', name = ''] = this.#settings.repository.split('/');
    return { owner, name };
  }

  /** Reads the very blob that was listed. A file that was named as changed has no version: it is read by its path. */
  async #readFile({ version }: KnownItem, path: string): Promise<ReadResult> {
    const headers = { accept: rawType };
    const { branch: ref } = this.#settings;
    const parts = path.split('/').map((part) => apiPath`${part}`);
    const response =
      version === undefined
        ? await this.#client.bytes(`${this.#api}/contents/${parts.join('/')}`, { headers, query: { ref } })
        : await this.#client.bytes(`${this.#api}${apiPath`/git/blobs/${version}`}`, { headers });
    return response === null ? { kind: 'gone' } : markdownFile(path, response.bytes);
  }

  async #readIssue(id: string): Promise<ReadResult> {
    const path = `${this.#api}${apiPath`/issues/${id}`}`;
    const issue = await this.#client.item(issueSchema, path);
    if (issue === null) return { kind: 'gone' };
    const posts: ThreadPost[] = [];
    for (let page = 1; page <= MOST_COMMENT_PAGES; page += 1) {
      const query = { per_page: PAGE_SIZE, page };
      const comments = (await this.#client.item(commentsSchema, `${path}/comments`, { query })) ?? [];
      posts.push(...comments.map(({ body }) => ({ text: body ?? '' })));
      if (comments.length < PAGE_SIZE) break;
    }
    return renderThread({ title: issue.title, url: issue.html_url, text: issue.body ?? '', posts });
  }

  async #readDiscussion(number: number): Promise<ReadResult> {
    const request = graphqlRequest(discussionQuery, { ...this.#names(), number });
    const answer = await this.#client.item(discussionTextSchema, '/graphql', request);
    const discussion = answer?.data.repository?.discussion ?? null;
    if (discussion === null) return { kind: 'gone' };
    const { title, url, body: text, answer: accepted, comments } = discussion;
    const others = comments.nodes
      .filter(({ isAnswer }) => isAnswer !== true)
      .map(({ body }) => ({ text: body }));
    const posts = accepted ? [{ text: accepted.body, isAnswer: true }, ...others] : others;
    return renderThread({ title, url, text, posts });
  }
}

const discussionsQuery = `query ($owner: String!, $name: String!, $after: String, $answered: Boolean) {
  repository(owner: $owner, name: $name) {
    discussions(first: 100, after: $after, answered: $answered, orderBy: { field: CREATED_AT, direction: ASC }) {
      nodes { number title url updatedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const discussionQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) {
      number title url updatedAt body
      answer { body }
      comments(first: 100) { nodes { body isAnswer } }
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
