import { shaOf } from './github.ts';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Issue {
  readonly title: string;
  readonly description: string | null;
  readonly updated_at: string;
  readonly state?: 'opened' | 'closed';
  readonly confidential?: boolean;
  readonly notes?: readonly {
    readonly body: string;
    readonly system?: boolean;
    readonly internal?: boolean;
  }[];
}

/**
 * A project, by https://docs.gitlab.com/api/repositories/ (tree, raw blobs), https://docs.gitlab.com/api/issues/,
 * https://docs.gitlab.com/api/notes/ and https://docs.gitlab.com/api/rest/#pagination.
 */
export class GitLabStandIn implements ToolStandIn {
  readonly origin = 'https://gitlab.com';
  token: string | null = 'right-token';
  readonly files = new Map<string, string>();
  readonly issues = new Map<number, Issue>();
  /** Blobs that the token may not open. */
  readonly forbidden = new Set<string>();
  /** By their secret and name. */
  readonly uploads = new Map<string, { readonly type: string; readonly bytes: Uint8Array }>();
  pageSize = 2;

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('private-token') !== this.token)
      return { status: 401, json: { message: '401 Unauthorized' } };
    const [, , , project, kind, ...rest] = path;
    if (project !== 'acme/help/docs') return { status: 404, json: { message: '404 Project Not Found' } };
    if (kind === undefined) return { json: { id: 1, default_branch: 'main' } };
    if (kind === 'uploads') return this.#upload(rest.join('/'));
    if (kind === 'repository') return rest[0] === 'tree' ? this.#tree(query) : this.#blob(rest[1] ?? '');
    return rest.length === 0 ? this.#listIssues(query) : this.#issue(Number(rest[0]), rest[1], query);
  }

  #upload(path: string): ToolAnswer {
    const file = this.uploads.get(path);
    return file === undefined
      ? { status: 404 }
      : { bytes: file.bytes, headers: { 'content-type': file.type } };
  }

  #tree(query: URLSearchParams): ToolAnswer {
    if (query.get('ref') !== 'main') return { status: 404, json: { message: '404 Tree Not Found' } };
    const folder = query.get('path') ?? '';
    const after = query.get('page_token') ?? '';
    const all = [...this.files].filter(([path]) => folder === '' || path.startsWith(`${folder}/`)).sort();
    const left = all.filter(([path]) => path > after);
    const json = left.slice(0, this.pageSize).map(([path, text]) => {
      return { id: shaOf(text), path, type: 'blob', mode: text.startsWith('-> ') ? '120000' : '100644' };
    });
    const last = encodeURIComponent(json.at(-1)?.path ?? '');
    const link = `<https://elsewhere.example/api/v4/projects/1/repository/tree?page_token=${last}>; rel="next"`;
    return { json, headers: left.length > json.length ? { link } : {} };
  }

  #blob(sha: string): ToolAnswer {
    if (this.forbidden.has(sha)) return { status: 403, json: { message: '403 Forbidden' } };
    const text = [...this.files.values()].find((one) => shaOf(one) === sha);
    return text === undefined ? { status: 404, json: { message: '404 Blob Not Found' } } : { bytes: text };
  }

  #listIssues(query: URLSearchParams): ToolAnswer {
    const page = Number(query.get('page'));
    const state = query.get('state');
    const wanted = [...this.issues].filter(([, issue]) => {
      if (query.get('confidential') === 'false' && issue.confidential === true) return false;
      return state === null || (issue.state ?? 'closed') === state;
    });
    const json = wanted.slice((page - 1) * this.pageSize, page * this.pageSize).map(view);
    const link = `<https://elsewhere.example/issues?page=${page + 1}>; rel="next"`;
    return { json, headers: wanted.length > page * this.pageSize ? { link } : {} };
  }

  #issue(iid: number, part: string | undefined, query: URLSearchParams): ToolAnswer {
    const issue = this.issues.get(iid);
    if (issue === undefined) return { status: 404, json: { message: '404 Not found' } };
    if (part === undefined) return { json: view([iid, issue]) };
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
    return { json: (issue.notes ?? []).slice((page - 1) * size, page * size) };
  }
}

function view([iid, { notes: _, ...issue }]: [number, Issue]) {
  return { iid, confidential: false, state: 'closed', ...issue };
}
