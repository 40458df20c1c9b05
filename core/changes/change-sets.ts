import type { Transaction } from 'kysely';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { Actor } from '../contract/actor.ts';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import { closeStaging } from '../workspaces/staging.ts';
import { type Change, type ChangeItem, changeKey } from './change-item.ts';
import {
  auditSet,
  type ChangeDependencies,
  type ChangeSet,
  type ChangeSetTarget,
  fromRow,
  loadItems,
  lockStaged,
} from './change-set.ts';
import { findConflicts } from './find-conflicts.ts';
import { mergeChange, stageItem, unstageItem } from './stage-item.ts';

interface NewSet {
  readonly name: string;
  readonly actor: Actor;
  readonly change?: Change | undefined;
}

const MAX_ITEMS = 100;

/** The change sets of workspaces. `PublishedSets` publishes them and takes them back. */
export class ChangeSets {
  readonly #dependencies: ChangeDependencies;

  constructor(dependencies: ChangeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists sets, newest first. Throws `invalid_cursor`. */
  async list(
    workspaceId: string,
    { state, ...page }: PageRequest & { readonly state?: ChangeSet['state'] | undefined },
  ): Promise<Page<ChangeSet & { readonly itemCount: number }>> {
    let query = this.#dependencies.database
      .selectFrom('change_set')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('change_item')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('change_set_id', '=', 'change_set.id')
          .as('item_count'),
      )
      .where('workspace_id', '=', workspaceId);
    if (state !== undefined) query = query.where('state', '=', state);
    const list = `change sets ${workspaceId} ${state ?? ''}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    const sets = items.map((row) => ({ ...fromRow(row), itemCount: Number(row.item_count ?? 0) }));
    return { items: sets, nextCursor };
  }

  /** Creates a set, with a first change or empty. Throws as `put`. */
  async create(workspaceId: string, { name, actor, change }: NewSet): Promise<ChangeSet> {
    const { clock, wake } = this.#dependencies;
    const at = clock.now();
    const { set, touched } = await eventTransaction(this.#dependencies, async (transaction) => {
      const row = await transaction
        .insertInto('change_set')
        .values({
          id: newIdInOrder('cset'),
          workspace_id: workspaceId,
          ...{ name, state: 'staged', created_by: actor.name, created_at: at },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const set = fromRow(row);
      await auditSet(transaction, set, { actor, at, action: 'change_set_created' });
      const staging = change === undefined ? null : { set, change, replaces: null };
      return { set, touched: staging && (await stageItem(this.#dependencies, transaction, staging)) };
    });
    for (const document of touched ?? []) await wake(document);
    return this.get(workspaceId, set.id);
  }

  /** Throws `change_set_not_found`. */
  async get(workspaceId: string, id: string): Promise<ChangeSet> {
    const row = await this.#dependencies.database
      .selectFrom('change_set')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('change_set_not_found');
    return fromRow(row);
  }

  async items(set: Pick<ChangeSet, 'id' | 'workspaceId'>): Promise<readonly ChangeItem[]> {
    return loadItems(this.#dependencies.database, set);
  }

  /** Throws `change_set_not_found` and `change_set_closed`. */
  async rename(target: ChangeSetTarget, name: string): Promise<ChangeSet> {
    return this.#change(
      target,
      async (transaction, set) => {
        await transaction.updateTable('change_set').set({ name }).where('id', '=', set.id).execute();
        return [];
      },
      { keepsRevision: true },
    );
  }

  /**
   * Stages a change; one of the same thing replaces the earlier one. Throws `change_set_not_found`, `change_set_closed`,
   * `change_set_full`, and what the store of the changed thing throws.
   */
  async put(target: ChangeSetTarget, change: Change): Promise<ChangeSet> {
    return this.#change(target, async (transaction, set) => {
      const items = await loadItems(transaction, set);
      const key = changeKey(change);
      const same = key === null ? undefined : items.find((item) => changeKey(item.change) === key);
      if (same === undefined && items.length >= MAX_ITEMS) throw new AppError('change_set_full');
      const merged = same === undefined ? change : mergeChange(same.change, change);
      return stageItem(this.#dependencies, transaction, { set, change: merged, replaces: same ?? null });
    });
  }

  /** Throws `change_set_not_found`, `change_set_closed` and `change_item_not_found`. */
  async remove(target: ChangeSetTarget, itemId: string): Promise<ChangeSet> {
    return this.#change(target, async (transaction, set) => {
      const item = (await loadItems(transaction, set)).find(({ id }) => id === itemId);
      if (item === undefined) throw new AppError('change_item_not_found');
      await transaction.deleteFrom('change_item').where('id', '=', item.id).execute();
      return unstageItem(this.#dependencies, transaction, { set, item });
    });
  }

  /**
   * Stages the changes anew whose documents or settings were changed meanwhile, so that they replace what is there now. A
   * document that is gone stays a conflict. Throws `change_set_not_found` and `change_set_closed`.
   */
  async takeOver(target: ChangeSetTarget): Promise<ChangeSet> {
    return this.#change(target, async (transaction, set) => {
      const items = await loadItems(transaction, set);
      const conflicts = await findConflicts(transaction, { set, items });
      const wanted = items.filter(({ id }) => conflicts.some((one) => one.itemId === id && !one.isGone));
      const touched = [];
      for (const item of wanted) {
        const staged = { set, change: item.change, replaces: item };
        touched.push(...(await stageItem(this.#dependencies, transaction, staged)));
      }
      return touched;
    });
  }

  /** Removes a set that is not published, with its hidden workspace. Throws `change_set_not_found` and `change_set_closed`. */
  async discard({ workspaceId, id, actor }: ChangeSetTarget): Promise<void> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const set = await lockStaged(transaction, workspaceId, id);
      await transaction.deleteFrom('change_set').where('id', '=', set.id).execute();
      if (set.stagingId !== null) await closeStaging(transaction, { stagingId: set.stagingId, at });
      await auditSet(transaction, set, { actor, at, action: 'change_set_discarded' });
    });
  }

  /** Changes the items of a staged set. `work` returns the documents for which a worker is to be woken. */
  async #change(
    { workspaceId, id, actor }: ChangeSetTarget,
    work: (transaction: Transaction<Tables>, set: ChangeSet) => Promise<readonly DocumentRecord[]>,
    { keepsRevision = false } = {},
  ): Promise<ChangeSet> {
    const at = this.#dependencies.clock.now();
    const { changed, touched } = await eventTransaction(this.#dependencies, async (transaction) => {
      const set = await lockStaged(transaction, workspaceId, id);
      const touched = await work(transaction, set);
      const row = await transaction
        .updateTable('change_set')
        .set(({ eb }) => ({ revision: keepsRevision ? set.revision : eb('revision', '+', 1) }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const changed = fromRow(row);
      await auditSet(transaction, changed, { actor, at, action: 'change_set_changed' });
      return { changed, touched };
    });
    for (const document of touched) await this.#dependencies.wake(document);
    return changed;
  }
}
