import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Article {
  readonly title: string;
  readonly body: string;
  readonly state: 'published' | 'draft';
  readonly updated_at: number;
  readonly url: string | null;
  readonly translated_content?: Readonly<Record<string, unknown>>;
}

/**
 * A workspace, by https://developers.intercom.com/docs/references/rest-api/api.intercom.io/articles (list, retrieve) and
 * https://developers.intercom.com/docs/references/rest-api/errors/rate-limiting.
 */
export class IntercomStandIn implements ToolStandIn {
  readonly origin: string;
  readonly articles = new Map<string, Article>();
  /** Articles that the app may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  constructor(origin = 'https://api.intercom.io') {
    this.origin = origin;
  }

  set(id: string, more: Partial<Article> = {}): void {
    const article = {
      ...{
        title: `Article ${id}`,
        body: `<p>Text ${id}</p>`,
        state: 'published' as const,
        updated_at: 1_750_000_000,
      },
      url: `https://help.acme.example/en/articles/${id}`,
    };
    this.articles.set(id, { ...article, ...this.articles.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== 'Bearer right-token')
      return failure(401, 'unauthorized', 'Access Token Invalid');
    const [resource, id] = path;
    if (resource !== 'articles') return failure(404, 'not_found', 'Resource Not Found');
    if (id === undefined) return this.#list(Number(query.get('page')));
    if (this.forbidden.has(id)) return failure(403, 'api_plan_restricted', 'Active subscription needed.');
    const article = this.articles.get(id);
    return article === undefined
      ? failure(404, 'not_found', 'Resource Not Found')
      : { json: view(id, article) };
  }

  #list(page: number): ToolAnswer {
    const all = [...this.articles].map(([id, article]) => view(id, article));
    const pages = Math.ceil(all.length / this.pageSize);
    const next = page < pages ? `https://elsewhere.example/articles?page=${page + 1}` : null;
    const data = all.slice((page - 1) * this.pageSize, page * this.pageSize);
    return { json: { type: 'list', data, pages: { type: 'pages', page, total_pages: pages, next } } };
  }
}

function view(id: string, article: Article) {
  return { type: 'article', id, workspace_id: 'w', default_locale: 'en', parent_id: null, ...article };
}

function failure(status: number, code: string, message: string): ToolAnswer {
  return { status, json: { type: 'error.list', errors: [{ code, message }] } };
}
