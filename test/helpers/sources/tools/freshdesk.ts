import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Article {
  readonly title: string;
  readonly description: string;
  readonly updated_at: string;
  readonly status: number;
  readonly folder_id: number;
  readonly attachments?: readonly unknown[];
}

interface Folder {
  readonly name: string;
  readonly category: number;
  readonly visibility: number;
  readonly parent?: number;
}

/**
 * A help desk, by https://developers.freshdesk.com/api/#solutions: categories, folders, folders inside, articles. A category
 * lists its own folders; a folder lists those inside by itself.
 */
export class FreshdeskStandIn implements ToolStandIn {
  readonly origin = 'https://acme.freshdesk.com';
  readonly articles = new Map<number, Article>();
  readonly folders = new Map<number, Folder>([
    [10, { name: 'Payments', category: 1, visibility: 1 }],
    [11, { name: 'Cards', category: 1, visibility: 1, parent: 10 }],
    [20, { name: 'Shipping', category: 2, visibility: 1 }],
  ]);
  /** Articles that the agent may not open. */
  readonly forbidden = new Set<string>();

  set(id: number, more: Partial<Article> = {}): void {
    const article = {
      title: `Article ${id}`,
      description: '<p>Text</p>',
      updated_at: '2026-01-01',
      status: 2,
    };
    const folder = [20, 10, 11][id % 3] ?? 10;
    this.articles.set(id, { ...article, folder_id: folder, ...this.articles.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== `Basic ${Buffer.from('right-token:X').toString('base64')}`) {
      return { status: 401, json: { code: 'invalid_credentials', message: 'You have to be logged in.' } };
    }
    const [, , , resource, id = '', part] = path;
    const page = (all: readonly unknown[]) => {
      const size = Number(query.get('per_page') ?? 30);
      const from = (Number(query.get('page') ?? 1) - 1) * size;
      return { json: all.slice(from, from + size) };
    };
    if (resource === 'categories')
      return id === ''
        ? page(categories)
        : page(this.#foldersOf((one) => one.category === Number(id) && one.parent === undefined));
    if (resource === 'folders' && part === 'subfolders')
      return page(this.#foldersOf((one) => one.parent === Number(id)));
    if (resource === 'folders' && part === 'articles') {
      const inside = [...this.articles].filter(([, one]) => one.folder_id === Number(id));
      return page(inside.map(([number, article]) => this.#view(number, article)));
    }
    if (resource === 'folders') {
      const folder = this.folders.get(Number(id));
      return folder === undefined ? notFound : { json: { id: Number(id), ...folder } };
    }
    if (this.forbidden.has(id))
      return { status: 403, json: { code: 'access_denied', message: 'Not authorized.' } };
    const article = this.articles.get(Number(id));
    return article === undefined ? notFound : { json: this.#view(Number(id), article) };
  }

  #foldersOf(matches: (folder: Folder) => boolean) {
    return [...this.folders]
      .filter(([, folder]) => matches(folder))
      .map(([id, folder]) => ({ id, ...folder }));
  }

  #view(id: number, article: Article) {
    const folder = this.folders.get(article.folder_id);
    const names = [
      categories.find((one) => one.id === folder?.category)?.name,
      this.folders.get(folder?.parent ?? 0)?.name,
      folder?.name,
    ];
    const hierarchy = names.flatMap((name, level) => (name === undefined ? [] : [{ level, data: { name } }]));
    return { id, ...article, hierarchy };
  }
}

const categories = [
  { id: 1, name: 'Money' },
  { id: 2, name: 'Orders' },
];
const notFound = { status: 404, json: { message: 'Not found' } };
