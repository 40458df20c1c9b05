import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Post {
  readonly name: string;
  readonly postBody: string;
  readonly updated: string;
  readonly state: string;
  readonly password?: string;
  readonly archivedAt: string;
}

/** The posts of a blog, by https://developers.hubspot.com/docs/reference/api/cms/blogs/blog-posts. */
export class HubSpotStandIn implements ToolStandIn {
  readonly origin = 'https://api.hubapi.com';
  readonly posts = new Map<string, Post>();
  /** Posts that the app may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  set(id: string, more: Partial<Post> = {}): void {
    const post = { name: `Post ${id}`, postBody: '<p>Text</p>', updated: '2026-01-01', state: 'PUBLISHED' };
    this.posts.set(id, { ...post, archivedAt: '1970-01-01T00:00:00Z', ...this.posts.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== 'Bearer right-token') {
      return { status: 401, json: { status: 'error', message: 'Authentication credentials not found.' } };
    }
    if (path.slice(0, 4).join('/') !== 'cms/v3/blogs/posts') return { status: 404, json: {} };
    const id = path[4];
    if (id === undefined) return this.#list(Number(query.get('after') ?? 0));
    if (this.forbidden.has(id))
      return { status: 403, json: { message: 'This app has not the scope content.' } };
    const post = this.posts.get(id);
    return post === undefined ? { status: 404, json: { message: 'Not found' } } : { json: view(id, post) };
  }

  #list(from: number): ToolAnswer {
    const results = [...this.posts].slice(from, from + this.pageSize).map(([id, post]) => view(id, post));
    const to = from + this.pageSize;
    const next = { after: String(to), link: `https://elsewhere.example/?after=${to}` };
    return { json: { total: this.posts.size, results, ...(to < this.posts.size && { paging: { next } }) } };
  }
}

function view(id: string, post: Post) {
  return { id, ...post, url: `https://www.acme.example/blog/post-${id}`, language: 'en' };
}
