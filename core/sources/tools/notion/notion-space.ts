import { z } from 'zod';
import { ItemError } from '../../source-reader.ts';
import { collectPages } from '../kit/pages.ts';
import { apiPath, type ToolClient } from '../kit/tool-client.ts';
import { plain, richTexts } from './notion-markdown.ts';
import { type NumberFormats, type PropertySources, propertiesSchema, titleOf } from './notion-properties.ts';

/** https://developers.notion.com/reference/parent-object */
export const parentSchema = z.looseObject({
  type: z.string(),
  page_id: z.string().optional(),
  database_id: z.string().optional(),
  block_id: z.string().optional(),
});
type Parent = z.output<typeof parentSchema>;

interface Place {
  readonly title: string;
  readonly parent?: Parent | null | undefined;
}

const pageSchema = z.object({ parent: parentSchema.nullish(), properties: propertiesSchema });
const blockSchema = z.object({ parent: parentSchema.nullish() });
const databaseSchema = z.object({
  title: richTexts.default([]),
  parent: parentSchema.nullish(),
  properties: z
    .record(
      z.string(),
      z.looseObject({ number: z.looseObject({ format: z.string().optional() }).optional() }),
    )
    .default({}),
});
const itemsSchema = z.object({
  results: z.array(z.unknown()).optional(),
  has_more: z.boolean().optional(),
  next_cursor: z.string().nullish(),
});

const MOST_STEPS = 20;
const MOST_ITEM_PAGES = 10;
const MOST_NOTED = 20_000;

/** Pages and databases around a page, and the rest of long properties. Each is asked for once. */
export class NotionSpace {
  readonly #client: ToolClient;
  readonly #places = new Map<string, Place | null>();
  readonly #formats = new Map<string, NumberFormats>();

  constructor(client: ToolClient) {
    this.#client = client;
  }

  /** Keeps what the list says of a page. */
  note(id: string, place: Place): void {
    if (this.#places.size < MOST_NOTED) this.#places.set(id, place);
  }

  /** Returns the titles above a page, outermost first. The path ends at the first page that the integration may not see. */
  async findPath(parent: Parent | null | undefined): Promise<readonly string[]> {
    const path: string[] = [];
    let above = parent;
    for (let steps = 0; above !== null && above !== undefined && steps < MOST_STEPS; steps += 1) {
      const place: Place | null = await this.#findPlace(above);
      if (place === null) break;
      if (place.title !== '') path.unshift(place.title);
      above = place.parent;
    }
    return path;
  }

  async propertySources(pageId: string, parent: Parent | null | undefined): Promise<PropertySources> {
    const database = parent?.database_id;
    if (database !== undefined) await this.#findPlace({ type: 'database_id', database_id: database });
    return {
      formats: this.#formats.get(database ?? '') ?? new Map(),
      findTitle: async (id) => (await this.#findPlace({ type: 'page_id', page_id: id }))?.title ?? null,
      loadAll: (propertyId) =>
        collectPages(MOST_ITEM_PAGES, async (cursor) => {
          const query = { page_size: 100, start_cursor: cursor ?? undefined };
          // Ids of properties are encoded already.
          const path = apiPath`/v1/pages/${pageId}/properties/${decode(propertyId)}`;
          const page = await this.#client.item(itemsSchema, path, { query });
          return {
            values: page?.results ?? [],
            next: page?.has_more === true ? (page.next_cursor ?? null) : null,
          };
        }),
    };
  }

  async #findPlace({ page_id: page, database_id: database, block_id: block }: Parent): Promise<Place | null> {
    const id = page ?? database ?? block;
    if (id === undefined) return null;
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = await this.#visible(
      page !== undefined
        ? this.#loadPage(id)
        : database !== undefined
          ? this.#loadDatabase(id)
          : this.#loadBlock(id),
    );
    if (this.#places.size < MOST_NOTED) this.#places.set(id, place);
    return place;
  }

  async #loadPage(id: string): Promise<Place | null> {
    const page = await this.#client.item(pageSchema, apiPath`/v1/pages/${id}`);
    return page === null ? null : { title: titleOf(page.properties), parent: page.parent };
  }

  async #loadDatabase(id: string): Promise<Place | null> {
    const database = await this.#client.item(databaseSchema, apiPath`/v1/databases/${id}`);
    if (database === null) return null;
    const formats = Object.entries(database.properties).flatMap(([name, { number }]) => {
      return number?.format === undefined ? [] : [[name, number.format] as const];
    });
    this.#formats.set(id, new Map(formats));
    return { title: plain(database.title).trim(), parent: database.parent };
  }

  /** Blocks around a page have no title. */
  async #loadBlock(id: string): Promise<Place | null> {
    const block = await this.#client.item(blockSchema, apiPath`/v1/blocks/${id}`);
    return block === null ? null : { title: '', parent: block.parent };
  }

  /** A page is read also if the integration may not see the pages around it. */
  async #visible(loading: Promise<Place | null>): Promise<Place | null> {
    try {
      return await loading;
    } catch (error) {
      if (error instanceof ItemError && error.code !== 'tool_down') return null;
      throw error;
    }
  }
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
