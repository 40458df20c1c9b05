import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Article {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly updated_at: string;
  readonly draft?: boolean;
  readonly user_segment_id?: number | null;
  readonly user_segment_ids?: readonly number[];
  readonly section_id?: number;
}

interface File {
  readonly article: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * A help center, by https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/ (List Articles, Show
 * Article), https://developer.zendesk.com/api-reference/introduction/pagination/ (cursors) and
 * https://developer.zendesk.com/api-reference/introduction/security-and-auth/ (API tokens).
 */
export class ZendeskStandIn implements ToolStandIn {
  readonly origin = 'https://acme.zendesk.com';
  readonly token = 'right-token';
  readonly articles = new Map<number, Article>();
  /** Articles that the agent may not open. */
  readonly forbidden = new Set<string>();
  /** The files by the ids of attachments. */
  readonly files = new Map<number, File>();
  pageSize = 2;

  set(id: number, more: Partial<Article> = {}): void {
    const before = this.articles.get(id);
    const article = {
      id,
      title: `Article ${id}`,
      body: `<p>Text ${id}</p>`,
      updated_at: '2026-01-01T00:00:00Z',
    };
    this.articles.set(id, { ...article, ...before, ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    const expected = `Basic ${Buffer.from(`ann@acme.example/token:${this.token}`).toString('base64')}`;
    if (headers.get('authorization') !== expected) {
      return { status: 401, json: { error: "Couldn't authenticate you" } };
    }
    const [api, version, center, ...rest] = path;
    if (api === 'hc') return this.#download(path);
    if (api !== 'api' || version !== 'v2' || center !== 'help_center') return { status: 404, json: {} };
    const [resource = '', id] = rest[0] === 'articles' || rest[0] === 'articles.json' ? rest : rest.slice(1);
    if (resource === 'articles.json') return this.#list(query);
    if (path.at(-1) === 'attachments.json') return this.#listFiles(Number(id), query);
    return this.#show((id ?? '').replace('.json', ''));
  }

  #list(query: URLSearchParams): ToolAnswer {
    const after = Number(query.get('page[after]') ?? 0);
    const left = [...this.articles.values()].filter(({ id }) => id > after);
    const articles = left.slice(0, this.pageSize).map((article) => this.#view(article));
    const last = articles.at(-1)?.id;
    const hasMore = left.length > articles.length;
    const next = `https://elsewhere.example/api/v2/help_center/articles.json?page[after]=${last}`;
    return {
      json: {
        ...{ articles, meta: { has_more: hasMore, after_cursor: String(last) }, links: { next } },
        ...(query.get('include') === 'sections,categories' && places),
      },
    };
  }

  #listFiles(article: number, query: URLSearchParams): ToolAnswer {
    if (this.forbidden.has(String(article))) return forbidden;
    const after = Number(query.get('page[after]') ?? 0);
    const left = [...this.files].filter(([id, file]) => file.article === article && id > after);
    const shown = left.slice(0, this.pageSize);
    const list = shown.map(([id, { name, type, bytes }]) => ({
      ...{
        id,
        article_id: article,
        file_name: name,
        content_type: type,
        size: bytes.byteLength,
        inline: false,
      },
      ...{ updated_at: '2026-01-01T00:00:00Z', content_url: `${this.origin}/hc/article_attachments/${id}` },
    }));
    const meta = { has_more: left.length > shown.length, after_cursor: String(shown.at(-1)?.[0] ?? '') };
    return { json: { article_attachments: list, meta } };
  }

  #download(path: readonly string[]): ToolAnswer {
    const file = this.files.get(Number(path.at(-1)));
    return file === undefined
      ? { status: 404 }
      : { bytes: file.bytes, headers: { 'content-type': file.type } };
  }

  #show(id: string): ToolAnswer {
    if (this.forbidden.has(id)) return forbidden;
    const article = this.articles.get(Number(id));
    if (article === undefined) return { status: 404, json: { error: 'RecordNotFound' } };
    return { json: { article: this.#view(article), ...places } };
  }

  #view(article: Article) {
    return {
      ...{ draft: false, user_segment_id: null, locale: 'en-us', promoted: false, section_id: 7 },
      ...article,
      html_url: `https://help.acme.example/hc/en-us/articles/${article.id}`,
    };
  }
}

const forbidden = { status: 403, json: { error: { title: 'Forbidden', message: 'No access' } } };

const places = {
  sections: [
    { id: 7, name: 'Refunds', category_id: 3, parent_section_id: 6 },
    { id: 6, name: 'Money', category_id: 3, parent_section_id: null },
  ],
  categories: [{ id: 3, name: 'Billing' }],
};
