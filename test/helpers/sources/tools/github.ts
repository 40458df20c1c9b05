import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Thread {
  readonly title: string;
  readonly body: string | null;
  readonly updated: string;
  readonly comments?: readonly string[];
  readonly answer?: string;
  readonly isPullRequest?: boolean;
  readonly isOpen?: boolean;
}

const requestSchema = z.object({
  query: z.string(),
  variables: z.object({
    ...{ owner: z.string(), name: z.string(), number: z.number().optional() },
    ...{ after: z.string().nullish(), answered: z.boolean().nullish() },
  }),
});

/**
 * A repository, by https://docs.github.com/en/rest/git/trees, https://docs.github.com/en/rest/git/blobs,
 * https://docs.github.com/en/rest/branches/branches, https://docs.github.com/en/rest/issues and
 * https://docs.github.com/en/graphql/guides/using-the-graphql-api-for-discussions.
 */
export class GitHubStandIn implements ToolStandIn {
  readonly origin: string;
  readonly #prefix: readonly string[];
  token: string | null = 'right-token';
  readonly files = new Map<string, string>();
  readonly issues = new Map<number, Thread>();
  readonly discussions = new Map<number, Thread>();
  /** Blobs that the token may not open. */
  readonly forbidden = new Set<string>();
  /** Trees with more entries are truncated. */
  mostEntries = 100;
  pageSize = 2;

  constructor(origin = 'https://api.github.com', prefix: readonly string[] = []) {
    this.origin = origin;
    this.#prefix = prefix;
  }

  respond({ path, query, headers, body }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== (this.token === null ? null : `Bearer ${this.token}`)) {
      return {
        status: 401,
        json: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' },
      };
    }
    if (path.at(-1) === 'graphql') return this.#graphql(body);
    const [repos, owner, name, kind, ...rest] = path.slice(this.#prefix.length);
    if (repos !== 'repos' || owner !== 'acme' || name !== 'docs')
      return { status: 404, json: { message: 'Not Found' } };
    if (kind === undefined) return { json: { default_branch: 'main', full_name: 'acme/docs' } };
    if (kind === 'branches') return this.#branch(rest[0] ?? '');
    if (kind === 'git' && rest[0] === 'trees') return this.#tree(rest[1] ?? '', query.has('recursive'));
    if (kind === 'git' && rest[0] === 'blobs') return this.#blob(rest[1] ?? '');
    return rest.length === 0 ? this.#listIssues(query) : this.#issue(Number(rest[0]), rest[1], query);
  }

  #branch(name: string): ToolAnswer {
    if (name !== 'main' && name !== 'release/2')
      return { status: 404, json: { message: 'Branch not found' } };
    return { json: { name, commit: { sha: 'c1', commit: { tree: { sha: 'tree:' } } } } };
  }

  #tree(sha: string, isRecursive: boolean): ToolAnswer {
    const folder = sha.replace('tree:', '');
    const prefix = folder === '' ? '' : `${folder}/`;
    const tree = new Map<string, object>();
    for (const [path, text] of this.files) {
      if (!path.startsWith(prefix)) continue;
      const parts = path.slice(prefix.length).split('/');
      const names = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
      const folders = isRecursive ? names.slice(0, -1) : names.slice(0, 1);
      for (const name of folders) {
        tree.set(name, { path: name, mode: '040000', type: 'tree', sha: `tree:${prefix}${name}` });
      }
      if (!isRecursive && parts.length > 1) continue;
      const mode = text.startsWith('-> ') ? '120000' : '100644';
      const name = parts.join('/');
      tree.set(name, { path: name, mode, type: 'blob', sha: shaOf(text) });
    }
    const entries = [...tree.values()];
    return {
      json: { sha, tree: entries.slice(0, this.mostEntries), truncated: entries.length > this.mostEntries },
    };
  }

  #blob(sha: string): ToolAnswer {
    if (this.forbidden.has(sha))
      return { status: 403, json: { message: 'Resource not accessible by personal access token' } };
    const text = [...this.files.values()].find((one) => shaOf(one) === sha);
    return text === undefined ? { status: 404, json: { message: 'Not Found' } } : { bytes: text };
  }

  #listIssues(query: URLSearchParams): ToolAnswer {
    const page = Number(query.get('page') ?? 1);
    const wanted = [...this.issues].filter(
      ([, { isOpen }]) => query.get('state') === 'all' || isOpen !== true,
    );
    const json = wanted.slice((page - 1) * this.pageSize, page * this.pageSize).map(([number, issue]) => {
      return this.#viewIssue(number, issue);
    });
    const next = `<https://elsewhere.example/repositories/1/issues?state=all&page=${page + 1}>; rel="next", <https://x.example/?page=9>; rel="last"`;
    return { json, headers: wanted.length > page * this.pageSize ? { link: next } : {} };
  }

  #viewIssue(number: number, { title, body, updated, isPullRequest, isOpen }: Thread) {
    return {
      ...{ number, title, body, updated_at: updated, state: isOpen === true ? 'open' : 'closed' },
      html_url: `https://github.com/acme/docs/issues/${number}`,
      ...(isPullRequest === true && { pull_request: { url: 'https://api.github.com/…' } }),
    };
  }

  #issue(number: number, part: string | undefined, query: URLSearchParams): ToolAnswer {
    const issue = this.issues.get(number);
    if (issue === undefined) return { status: 410, json: { message: 'This issue was deleted' } };
    if (part === undefined) return { json: this.#viewIssue(number, issue) };
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 30)];
    const comments = (issue.comments ?? []).slice((page - 1) * size, page * size);
    return { json: comments.map((body) => ({ body, user: { login: 'bob' } })) };
  }

  #graphql(body: string): ToolAnswer {
    const { variables } = requestSchema.parse(JSON.parse(body));
    if (`${variables.owner}/${variables.name}` !== 'acme/docs') {
      const message = "Could not resolve to a Repository with the name 'acme/other'.";
      return { json: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message }] } };
    }
    const view = ([number, { title, body: text, updated, answer, comments = [] }]: [number, Thread]) => ({
      ...{
        number,
        title,
        updatedAt: updated,
        url: `https://github.com/acme/docs/discussions/${number}`,
        body: text,
      },
      answer: answer === undefined ? null : { body: answer },
      comments: {
        nodes: comments.map((comment) => ({
          body: comment,
          isAnswer: comment === answer,
          replies: { nodes: [] },
        })),
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    });
    const { number } = variables;
    if (number !== undefined) {
      const one = this.discussions.get(number);
      return {
        json: { data: { repository: { discussion: one === undefined ? null : view([number, one]) } } },
      };
    }
    const from = Number(variables.after ?? 0);
    const all = [...this.discussions].filter(
      ([, { answer }]) => variables.answered !== true || answer !== undefined,
    );
    const nodes = all.slice(from, from + this.pageSize).map(view);
    const pageInfo = {
      hasNextPage: all.length > from + this.pageSize,
      endCursor: String(from + this.pageSize),
    };
    return { json: { data: { repository: { discussions: { nodes, pageInfo } } } } };
  }
}

export function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
