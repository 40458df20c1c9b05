import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Page {
  readonly title: string;
  readonly html: string;
  readonly number: number;
  readonly space: string;
  readonly status?: string;
  readonly parents?: readonly string[];
  readonly readers?: readonly string[];
  readonly type?: 'page' | 'blogpost';
}

interface File {
  readonly page: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly number?: number;
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
  /** The files by their ids, which begin with `att`. */
  readonly files = new Map<string, File>();
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
    if (parts[0] === 'download') return this.#download(parts.at(-1) ?? '');
    const route = parts.slice(0, 3).join('/');
    const [, , , id = '', ...rest] = parts;
    if (this.#isCloud && (route === 'api/v2/pages' || route === 'api/v2/blogposts')) return this.#read(id);
    if (this.#isCloud && route === 'api/v2/attachments') return this.#readFile(id);
    if (route !== 'rest/api/content') return notFound;
    if (id === 'search') return this.#search(query);
    if (rest.join('/') === 'restriction/byOperation/read') return this.#restriction(id);
    if (this.#isCloud) return { status: 410, json: { message: 'This endpoint is gone' } };
    return id.startsWith('att') ? this.#readFile(id) : this.#read(id);
  }

  #search(query: URLSearchParams): ToolAnswer {
    const cql = query.get('cql') ?? '';
    const from = Number(query.get(this.#isCloud ? 'cursor' : 'start') ?? 0);
    const ids = /^id in \(([\d,]+)\)$/.exec(cql)?.[1]?.split(',');
    const [, type = ''] = /type = (\w+)/.exec(cql) ?? [];
    const isIn = (space: string) => cql.includes(`"${space}"`);
    const pages = [...this.pages].filter(([id, page]) => {
      return ids === undefined ? isIn(page.space) && (page.type ?? 'page') === type : ids.includes(id);
    });
    const files = [...this.files].filter(
      ([, { page }]) => type === 'attachment' && isIn(this.pages.get(page)?.space ?? ''),
    );
    const all = [
      ...pages.map(([id, page]) => this.#viewPage(id, page)),
      ...files.map(([id, file]) => viewFile(id, file)),
    ];
    const results = all.slice(from, from + (ids === undefined ? this.pageSize : all.length));
    const to = from + this.pageSize;
    const next = `https://elsewhere.example/rest/api/content/search?${this.#isCloud ? 'cursor' : 'start'}=${to}`;
    return {
      json: {
        results,
        size: results.length,
        _links: { base: this.origin, ...(to < all.length && ids === undefined && { next }) },
      },
    };
  }

  #viewPage(id: string, page: Page) {
    return {
      ...{ id, type: page.type ?? 'page', status: page.status ?? 'current', title: page.title },
      version: { number: page.number, when: '2026-01-01T00:00:00.000Z' },
      space: { key: page.space, name: `Space ${page.space}` },
      ancestors: (page.parents ?? []).map((parent) => {
        return { id: parent, type: 'page', title: this.pages.get(parent)?.title ?? '' };
      }),
      restrictions: { read: readersOf(page) },
      _links: { webui: webOf(id, page) },
    };
  }

  #readFile(id: string): ToolAnswer {
    const file = this.files.get(id);
    if (file === undefined) return notFound;
    if (!this.#isCloud) return { json: viewFile(id, file) };
    const { title, version, extensions, _links: links } = viewFile(id, file);
    const { download: downloadLink, webui: webuiLink } = links;
    return { json: { id, title, version, ...extensions, pageId: file.page, downloadLink, webuiLink } };
  }

  #download(name: string): ToolAnswer {
    const file = [...this.files.values()].find((one) => one.name === name);
    return file === undefined ? notFound : { bytes: file.bytes, headers: { 'content-type': file.type } };
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

function viewFile(id: string, { page, name, type, bytes, number = 1 }: File) {
  return {
    ...{ id, type: 'attachment', status: 'current', title: name, version: { number } },
    extensions: { mediaType: type, fileSize: bytes.byteLength },
    container: { id: page, type: 'page' },
    _links: { webui: `/pages/viewpage.action?id=${page}`, download: `/download/attachments/${page}/${name}` },
  };
}

function webOf(id: string, { space }: Page): string {
  return `/spaces/${space}/pages/${id}`;
}
