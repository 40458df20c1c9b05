import { z } from 'zod';
import { ItemError } from '../../source-reader.ts';
import { apiPath, type ToolClient } from '../kit/tool-client.ts';
import { blocksSchema, type NotionBlock, ownPages } from './notion-markdown.ts';

/** As many as Notion answers within the time of one reading: three in a second. The rest becomes a document of its own. */
const MOST_REQUESTS = 250;
const MOST_DEPTH = 20;

/** Where in a page a reading ended: the ids of the blocks that are open, outermost first, and last the one to go on with. */
export const placeSchema = z
  .array(z.string())
  .min(1)
  .max(MOST_DEPTH + 1);
export type BlockPlace = z.output<typeof placeSchema>;

interface LoadedBlocks {
  readonly blocks: readonly NotionBlock[];
  /** Where the next reading goes on. Null at the end of the page. */
  readonly rest: BlockPlace | null;
}

/** Loads the blocks of a page, or its rest from a place on. Each block with blocks inside takes a request of its own. */
export async function loadBlocks(
  client: ToolClient,
  pageId: string,
  from: BlockPlace | null,
): Promise<LoadedBlocks> {
  const loader = new BlockLoader(client);
  const blocks = await loader.load(pageId, { above: [], from: from ?? [] });
  return { blocks, rest: loader.rest };
}

interface Position {
  /** The ids of the blocks around. */
  readonly above: readonly string[];
  /** The ids that are left of the place to go on from. Empty: everything is wanted. */
  readonly from: readonly string[];
}

class BlockLoader {
  readonly #client: ToolClient;
  #requests = 0;
  rest: BlockPlace | null = null;

  constructor(client: ToolClient) {
    this.#client = client;
  }

  async load(id: string, { above, from: [first, ...inner] }: Position): Promise<readonly NotionBlock[]> {
    if (above.length > MOST_DEPTH) throw tooDeep;
    const blocks: NotionBlock[] = [];
    let isWanted = first === undefined;
    for (let cursor: string | undefined, isEnd = false; !isEnd && this.rest === null; ) {
      const page = await this.#loadPage(id, cursor);
      for (const block of page?.results ?? []) {
        const isFirst = !isWanted && block.id === first;
        isWanted ||= isFirst;
        if (!isWanted || this.rest !== null) continue;
        const children = await this.#loadInner(block, { above, from: isFirst ? inner : [] });
        if (children !== null) blocks.push({ ...block, children });
      }
      cursor = page?.next_cursor ?? undefined;
      isEnd = page?.has_more !== true || cursor === undefined;
    }
    return blocks;
  }

  #loadPage(id: string, cursor: string | undefined) {
    this.#requests += 1;
    const query = { page_size: 100, start_cursor: cursor };
    return this.#client.item(blocksSchema, apiPath`/v1/blocks/${id}/children`, { query });
  }

  /** Null if there are no requests left for what is inside: the next reading begins with this block. */
  async #loadInner(block: Omit<NotionBlock, 'children'>, { above, from }: Position) {
    if (!block.hasChildren || ownPages.has(block.type)) return [];
    const path = [...above, block.id];
    if (this.#requests < MOST_REQUESTS) return this.load(block.id, { above: path, from });
    this.rest = path;
    return null;
  }
}

const tooDeep = new ItemError(
  'too_large',
  `The page has blocks inside each other more than ${MOST_DEPTH} deep. Split it into pages.`,
);
