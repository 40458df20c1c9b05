import { z } from 'zod';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface Page {
  readonly title: string;
  readonly edited: string;
  readonly blocks: readonly BlockInput[];
  readonly publicUrl?: string;
  readonly archived?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly parent?: Readonly<Record<string, unknown>>;
  /** All items of properties that have more than a page names, by the ids of the properties. */
  readonly items?: Readonly<Record<string, readonly unknown[]>>;
}

interface Database {
  readonly title: string;
  readonly formats?: Readonly<Record<string, string>>;
  readonly parent?: Readonly<Record<string, unknown>>;
}

export interface BlockInput {
  readonly type: string;
  readonly content?: Readonly<Record<string, unknown>>;
  readonly children?: readonly BlockInput[];
}

const searchSchema = z.object({
  filter: z.object({ property: z.literal('object'), value: z.literal('page') }),
  sort: z.object({ timestamp: z.literal('last_edited_time'), direction: z.literal('ascending') }),
  start_cursor: z.string().optional(),
});

/**
 * A workspace, by https://developers.notion.com/reference/post-search, /reference/retrieve-a-page,
 * /reference/get-block-children, /reference/block and /reference/request-limits.
 */
export class NotionStandIn implements ToolStandIn {
  readonly origin = 'https://api.notion.com';
  readonly pages = new Map<string, Page>();
  readonly databases = new Map<string, Database>();
  /** Pages that the integration may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  set(id: string, more: Partial<Page> = {}): void {
    const page = {
      title: `Page ${id}`,
      edited: '2026-01-01T00:00:00.000Z',
      blocks: [text('paragraph', `Text ${id}`)],
    };
    this.pages.set(id, { ...page, ...this.pages.get(id), ...more });
  }

  respond({ path, query, headers, body }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== 'Bearer right-token') {
      return {
        status: 401,
        json: { object: 'error', code: 'unauthorized', message: 'API token is invalid.' },
      };
    }
    if (!headers.has('notion-version'))
      return { status: 400, json: { message: 'Notion-Version is missing' } };
    const [, resource, id = '', part, property = ''] = path;
    if (resource === 'search') return this.#search(searchSchema.parse(JSON.parse(body)).start_cursor);
    if (resource === 'blocks' && part === 'children') return this.#children(id, query.get('start_cursor'));
    if (resource === 'blocks')
      return { json: { object: 'block', id, parent: { type: 'page_id', page_id: 'a' } } };
    if (resource === 'databases') return this.#database(id);
    if (this.forbidden.has(id))
      return { status: 403, json: { code: 'restricted_resource', message: 'No access' } };
    const page = this.pages.get(id);
    if (part === 'properties') return this.#part(page?.items?.[property] ?? [], query.get('start_cursor'));
    return page === undefined ? notFound : { json: view(id, page) };
  }

  #search(cursor: string | undefined): ToolAnswer {
    const sorted = [...this.pages].sort(([, one], [, other]) => one.edited.localeCompare(other.edited));
    return this.#part(
      sorted.map(([id, page]) => view(id, page)),
      cursor ?? null,
    );
  }

  #database(id: string): ToolAnswer {
    const found = this.databases.get(id);
    if (found === undefined) return notFound;
    const { title, formats = {}, parent = { type: 'workspace', workspace: true } } = found;
    const properties = Object.entries(formats).map(([name, format]) => [
      name,
      { type: 'number', number: { format } },
    ]);
    return {
      json: {
        object: 'database',
        id,
        title: rich(title),
        parent,
        properties: Object.fromEntries(properties),
      },
    };
  }

  #children(id: string, cursor: string | null): ToolAnswer {
    const [pageId = '', ...indexes] = id.split('.');
    let blocks = this.pages.get(pageId)?.blocks;
    for (const index of indexes) blocks = blocks?.[Number(index)]?.children;
    if (blocks === undefined) return notFound;
    const views = blocks.map(({ type, content = {}, children = [] }, index) => {
      return {
        object: 'block',
        id: `${id}.${index}`,
        type,
        has_children: children.length > 0,
        [type]: content,
      };
    });
    return this.#part(views, cursor);
  }

  #part(all: readonly unknown[], cursor: string | null): ToolAnswer {
    const from = Number(cursor ?? 0);
    const to = from + this.pageSize;
    const more = to < all.length;
    return { json: { results: all.slice(from, to), has_more: more, next_cursor: more ? String(to) : null } };
  }
}

const notFound = { status: 404, json: { code: 'object_not_found', message: 'Could not find it.' } };

function view(id: string, page: Page) {
  const { title, edited, publicUrl = null, archived = false, properties = {} } = page;
  const { parent = { type: 'workspace', workspace: true } } = page;
  return {
    ...{
      object: 'page',
      id,
      url: `https://www.notion.so/${id}`,
      public_url: publicUrl,
      last_edited_time: edited,
    },
    ...{ archived, in_trash: archived, parent },
    properties: { Name: { id: 'title', type: 'title', title: rich(title) }, ...properties },
  };
}

export function rich(
  value: string,
  annotations: Readonly<Record<string, boolean>> = {},
  href: string | null = null,
) {
  return [{ type: 'text', plain_text: value, href, annotations }];
}

export function text(type: string, value: string, more: Omit<BlockInput, 'type'> = {}): BlockInput {
  return { type, children: [], ...more, content: { rich_text: rich(value), ...more.content } };
}
