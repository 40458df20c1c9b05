import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Page {
  readonly title: string;
  readonly html: string;
  readonly number: number;
  readonly space: string;
  readonly status?: string;
  readonly parents?: readonly string[];
  readonly readers?: readonly string[];
}

/**
 * A site, in the cloud by https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/ (search by CQL),
 * /rest/v1/api-group-content-restrictions/ and /rest/v2/api-group-page/, or an own server by
 * https://developer.atlassian.com/server/confluence/confluence-rest-api-examples/.
 */
export class ConfluenceStandIn implements ToolStandIn {
  readonly origin: string;
  readonly #isCloud: boolean;
  readonly pages = new Map<string, Page>();
  /** Pages whose text the account may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  constructor({ isCloud = true } = {}) {
    this.#isCloud = isCloud;
    this.origin = isCloud ? 'https://acme.atlassian.net' : 'https://confluence.acme.example';
  }

  set(id: string, more: Partial<Page> = {}): void {
    const page = { title: `Page ${id}`, html: `<p>Text ${id}</p>`, number: 1, space: 'HELP' };
    this.pages.set(id, { ...page, ...this.pages.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    const basic = `Basic ${Buffer.from('ann@acme.example:right-token').toString('base64')}`;
    if (headers.get('authorization') !== (this.#isCloud ? basic : 'Bearer right-token')) {
      return {
        status: 401,
        json: { statusCode: 401, message: 'Client must be authenticated to access this resource.' },
      };
    }
    const parts = this.#isCloud ? path.slice(1) : path;
    if (this.#isCloud && path[0] !== 'wiki') return notFound;
    const route = parts.slice(0, 3).join('/');
    const [, , , id = '', ...rest] = parts;
    if (route === 'api/v2/pages' && this.#isCloud) return this.#read(id);
    if (route !== 'rest/api/content') return notFound;
    if (id === 'search') return this.#search(query);
    if (rest.join('/') === 'restriction/byOperation/read') return this.#restriction(id);
    return this.#isCloud ? { status: 410, json: { message: 'This endpoint is gone' } } : this.#read(id);
  }

  #search(query: URLSearchParams): ToolAnswer {
    const cql = query.get('cql') ?? '';
    const from = Number(query.get(this.#isCloud ? 'cursor' : 'start') ?? 0);
    const all = [...this.pages].filter(([, { space }]) => cql.includes(`"${space}"`));
    const results = all.slice(from, from + this.pageSize).map(([id, page]) => ({
      ...{ id, type: 'page', status: page.status ?? 'current', title: page.title },
      version: { number: page.number, when: '2026-01-01T00:00:00.000Z' },
      ancestors: (page.parents ?? []).map((parent) => ({ id: parent, type: 'page' })),
      restrictions: { read: readersOf(page) },
      _links: { webui: webOf(id, page) },
    }));
    const to = from + this.pageSize;
    const next = `https://elsewhere.example/rest/api/content/search?${this.#isCloud ? 'cursor' : 'start'}=${to}`;
    return {
      json: {
        results,
        size: results.length,
        _links: { base: this.origin, ...(to < all.length && { next }) },
      },
    };
  }

  #restriction(id: string): ToolAnswer {
    const page = this.pages.get(id);
    return page === undefined ? notFound : { json: readersOf(page) };
  }

  #read(id: string): ToolAnswer {
    if (this.forbidden.has(id))
      return { status: 403, json: { message: 'User not permitted to view content' } };
    const page = this.pages.get(id);
    if (page === undefined) return notFound;
    const { title, html, status = 'current' } = page;
    return {
      json: { id, title, status, body: { view: { value: html } }, _links: { webui: webOf(id, page) } },
    };
  }
}

const notFound = { status: 404, json: { statusCode: 404, message: 'No content found' } };

function readersOf({ readers = [] }: Page) {
  const results = readers.map((displayName) => ({ type: 'known', displayName }));
  return {
    operation: 'read',
    restrictions: { user: { results, size: results.length }, group: { results: [], size: 0 } },
  };
}

function webOf(id: string, { space }: Page): string {
  return `/spaces/${space}/pages/${id}`;
}
