import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toActor } from '../conversations/inbox/find-conversation.ts';
import { type ConversationFilters, conversationFiltersSchema } from '../conversations/list/filters.ts';
import { type InboxSort, inboxSorts } from '../conversations/list/live-order.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** Filters of the inbox under a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** Whether everybody in the workspace has it. */
  readonly shared: boolean;
  readonly filters: ConversationFilters;
  readonly sort: InboxSort;
  readonly place: number;
  readonly createdBy: string;
  readonly createdAt: Date;
}

interface NewView {
  readonly name: string;
  readonly shared: boolean;
  readonly filters: ConversationFilters;
  readonly sort: InboxSort;
  readonly place: number;
}

type ViewChange = { readonly [Field in keyof NewView]?: NewView[Field] | undefined };

interface ViewUser {
  readonly workspaceId: string;
  /** Null for the operator, whose views are shared. */
  readonly personId: string | null;
  readonly name: string;
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

const mostViews = 100;

/** The saved views of a workspace: a person sees their own and the shared ones. */
export class SavedViews {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Returns the views that a person sees, in their order. */
  async list({
    workspaceId,
    personId,
  }: Pick<ViewUser, 'workspaceId' | 'personId'>): Promise<readonly SavedView[]> {
    const rows = await this.#stores.database
      .selectFrom('saved_view')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where((is) => is.or([is('person_id', 'is', null), is('person_id', '=', personId)]))
      .orderBy('place')
      .orderBy('id')
      .limit(mostViews)
      .execute();
    return rows.map(viewFromRow);
  }

  async create(user: ViewUser, view: NewView): Promise<SavedView> {
    const { database, clock } = this.#stores;
    const { workspaceId } = user;
    const actor = toActor(user);
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('saved_view')
        .values({
          id: newId('view'),
          workspace_id: workspaceId,
          person_id: view.shared ? null : user.personId,
          name: view.name,
          filters: JSON.stringify(view.filters),
          sort: view.sort,
          place: view.place,
          created_by: user.name,
          created_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const details = { id: row.id, name: row.name, shared: row.person_id === null };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'view_created', details });
      return viewFromRow(row);
    });
  }

  /** Throws `view_not_found`, also for another person's view. */
  async change(user: ViewUser, id: string, change: ViewChange): Promise<SavedView> {
    const { database, clock } = this.#stores;
    const { workspaceId } = user;
    const actor = toActor(user);
    const at = clock.now();
    const { name, shared, filters, sort, place } = change;
    return database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('saved_view')
        .set({
          ...(name !== undefined && { name }),
          ...(shared !== undefined && { person_id: shared ? null : user.personId }),
          ...(filters !== undefined && { filters: JSON.stringify(filters) }),
          ...(sort !== undefined && { sort }),
          ...(place !== undefined && { place }),
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where((is) => is.or([is('person_id', 'is', null), is('person_id', '=', user.personId)]))
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new AppError('view_not_found');
      const fields = Object.keys(change).filter((field) => field !== 'place');
      if (fields.length > 0) {
        const details = { id, name: row.name, fields };
        await auditWorkspace(transaction, { workspaceId, actor, at, action: 'view_changed', details });
      }
      return viewFromRow(row);
    });
  }

  /** Throws `view_not_found`, also for another person's view. */
  async delete(user: ViewUser, id: string): Promise<void> {
    const { workspaceId, personId } = user;
    const actor = toActor(user);
    const { database, clock } = this.#stores;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const row = await transaction
        .deleteFrom('saved_view')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where((is) => is.or([is('person_id', 'is', null), is('person_id', '=', personId)]))
        .returning('name')
        .executeTakeFirst();
      if (row === undefined) throw new AppError('view_not_found');
      const details = { id, name: row.name };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'view_deleted', details });
    });
  }
}

const sortSchema = z.enum(inboxSorts);

function viewFromRow(row: Selectable<Tables['saved_view']>): SavedView {
  return {
    id: row.id,
    name: row.name,
    shared: row.person_id === null,
    filters: conversationFiltersSchema.parse(row.filters),
    sort: sortSchema.parse(row.sort),
    place: row.place,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
