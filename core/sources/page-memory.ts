import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findBlockRules } from './ledger/block-rules.ts';
import { storeTree, TreeRoom } from './ledger/page-trees.ts';
import type { RunRow } from './runs/run-queue.ts';
import type { BlockRule, Copies, PageBlocks, PageMemory, PageText } from './source-reader.ts';

/** The memory of a preview: it stores nothing. */
export const noPageMemory: PageMemory = {
  loadSample: async () => [],
  listAhead: async () => [],
  findCopies: async () => ({ pages: 0, document: null }),
  store: async () => true,
  loadRules: async () => [],
  dropTree: async () => undefined,
  removeFromSample: async () => undefined,
};

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

type Place = Pick<RunRow, 'source_id' | 'workspace_id' | 'number'>;

/** Keeps what is known of the pages of a source in the table `source_page`. */
export class StoredPageMemory implements PageMemory {
  readonly #database: Kysely<Tables>;
  readonly #clock: Clock;
  readonly #run: Place;
  readonly #room = new TreeRoom();

  constructor({ database, clock }: Stores, run: Place) {
    this.#database = database;
    this.#clock = clock;
    this.#run = run;
  }

  async loadSample(): Promise<readonly PageBlocks[]> {
    const rows = await this.#pages().select(['key', 'blocks']).where('blocks', 'is not', null).execute();
    return rows.map(({ key, blocks }) => ({ key, blocks: blocks ?? [] }));
  }

  /** Lists the next items in the order of `findWaiting`. */
  async listAhead(limit: number): Promise<readonly string[]> {
    const { source_id: sourceId, workspace_id: workspaceId, number } = this.#run;
    const rows = await this.#database
      .selectFrom('source_item')
      .select('key')
      .where('workspace_id', '=', workspaceId)
      .where('source_id', '=', sourceId)
      .where('listed_run', '=', number)
      .where(sql<boolean>`read_run is distinct from listed_run`)
      .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
      .orderBy('depth')
      .orderBy('key')
      .limit(limit)
      .execute();
    return rows.map(({ key }) => key);
  }

  async findCopies({ key, textHash }: Pick<PageText, 'key' | 'textHash'>): Promise<Copies> {
    const rows = await this.#pages()
      .innerJoin('source_item', (join) =>
        join
          .onRef('source_item.source_id', '=', 'source_page.source_id')
          .onRef('source_item.key', '=', 'source_page.key'),
      )
      .select(['source_item.key', 'source_item.url', 'source_item.title'])
      .select(
        sql<boolean>`source_item.state = 'current' and source_item.document_id is not null`.as(
          'has_document',
        ),
      )
      .where('source_page.text_hash', '=', textHash)
      .where('source_page.key', '<>', key)
      .where('source_item.state', '<>', 'gone')
      .orderBy(sql`length(source_item.key)`)
      .orderBy('source_item.key')
      .limit(MOST_COPIES)
      .execute();
    const found = rows.find((row) => row.has_document);
    if (found === undefined) return { pages: rows.length, document: null };
    const { url, title } = found;
    const named = { ...(url !== null && { url }), ...(title !== null && { title }) };
    return { pages: rows.length, document: { key: found.key, ...named } };
  }

  /** An item that was deleted meanwhile is not stored. */
  async store({ key, textHash, blocks, copyOf, fetched }: PageText): Promise<boolean> {
    const { source_id: sourceId, workspace_id: workspaceId } = this.#run;
    const tree = fetched?.tree ?? null;
    const hasRoom =
      tree !== null && (await this.#room.hasRoom(this.#database, workspaceId, tree.bytes.byteLength));
    const now = this.#clock.now();
    const values = {
      ...{ text_hash: textHash, copy_of: copyOf },
      ...(blocks !== undefined && { blocks: blocks === null ? null : [...blocks] }),
      ...(fetched !== undefined && {
        ...{ tree_hash: hasRoom ? tree.hash : null, cut_version: fetched.cutVersion },
        ...{ fetched_at: now, cut_at: now },
      }),
    };
    return this.#database.transaction().execute(async (transaction) => {
      const item = await transaction
        .selectFrom('source_item')
        .select('key')
        .where('workspace_id', '=', workspaceId)
        .where('source_id', '=', sourceId)
        .where('key', '=', key)
        .forKeyShare()
        .executeTakeFirst();
      if (item === undefined) return false;
      if (hasRoom) await storeTree(transaction, workspaceId, tree);
      await transaction
        .insertInto('source_page')
        .values({ source_id: sourceId, workspace_id: workspaceId, key, ...values })
        .onConflict((conflict) => conflict.columns(['source_id', 'key']).doUpdateSet(values))
        .execute();
      return hasRoom;
    });
  }

  async loadRules(): Promise<readonly BlockRule[]> {
    const { source_id: sourceId, workspace_id: workspaceId } = this.#run;
    return findBlockRules(this.#database, { workspaceId, sourceId });
  }

  async dropTree(key: string): Promise<void> {
    const { source_id: sourceId, workspace_id: workspaceId } = this.#run;
    await this.#database
      .updateTable('source_page')
      .set({ tree_hash: null })
      .where('workspace_id', '=', workspaceId)
      .where('source_id', '=', sourceId)
      .where('key', '=', key)
      .execute();
  }

  async removeFromSample(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const { source_id: sourceId, workspace_id: workspaceId } = this.#run;
    await this.#database
      .updateTable('source_page')
      .set({ blocks: null })
      .where('workspace_id', '=', workspaceId)
      .where('source_id', '=', sourceId)
      .where('key', 'in', [...keys])
      .execute();
  }

  #pages() {
    const { source_id: sourceId, workspace_id: workspaceId } = this.#run;
    return this.#database
      .selectFrom('source_page')
      .where('source_page.workspace_id', '=', workspaceId)
      .where('source_page.source_id', '=', sourceId);
  }
}

/** A longer list tells nothing new. */
const MOST_COPIES = 100;
