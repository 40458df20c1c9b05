import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import { operatorActor } from '../contract/actor.ts';
import { conversationStatuses, priorities } from '../contract/conversation-values.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import { type Deletion, deleteRow, restoreRow } from '../storage/restorable.ts';
import { violatesConstraint } from '../storage/sql-errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A text that agents insert into replies by its name. */
export interface Snippet {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Tags that a conversation gets with the text. */
  readonly tags: readonly string[];
  readonly actions: SnippetActions;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Changes that a conversation gets with the text, besides its tags. */
export const snippetActionsSchema = z.object({
  status: z.enum(conversationStatuses).optional(),
  priority: z.enum(priorities).optional(),
  assign: z
    .string()
    .regex(/^(?:me|none|per_\w+)$/)
    .max(100)
    .optional()
    .meta({ description: 'The id of a person, or `me`, or `none` for the queue.' }),
});

type SnippetActions = z.output<typeof snippetActionsSchema>;

interface NewSnippet {
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly actions?: SnippetActions | undefined;
}

/** Undefined fields stay unchanged. */
type SnippetChange = { readonly [Field in keyof NewSnippet]?: NewSnippet[Field] | undefined };

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Manages the snippets of a workspace. */
export class Snippets {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `snippet_name_taken`; upper and lower case do not differ. */
  async create(workspaceId: string, snippet: NewSnippet, actor = operatorActor): Promise<Snippet> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    const id = newId('snip');
    const row = await withFreeName(() =>
      database.transaction().execute(async (transaction) => {
        const inserted = await transaction
          .insertInto('snippet')
          .values({
            id,
            workspace_id: workspaceId,
            name: snippet.name,
            text: snippet.text,
            tags: [...new Set(snippet.tags)],
            actions: JSON.stringify(snippet.actions ?? {}),
            created_by: actor.name,
            created_at: at,
            updated_at: at,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const details = { id, name: snippet.name };
        await auditWorkspace(transaction, { workspaceId, actor, at, action: 'snippet_created', details });
        return inserted;
      }),
    );
    return snippetFromRow(row);
  }

  /** Returns snippets, newest first; with `search`, those whose name or text contains it. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest, search?: string): Promise<Page<Snippet>> {
    let query = this.#dependencies.database
      .selectFrom('snippet')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('restorable_until', 'is', null);
    if (search !== undefined) {
      query = query.where(
        sql<boolean>`(strpos(lower(name), lower(${search})) > 0 or strpos(lower(text), lower(${search})) > 0)`,
      );
    }
    const list = `snippets ${workspaceId} ${search ?? ''}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    return { items: items.map(snippetFromRow), nextCursor };
  }

  /** Throws `snippet_not_found` and `snippet_name_taken`. */
  async change(
    workspaceId: string,
    id: string,
    { name, text, tags, actions }: SnippetChange,
    actor = operatorActor,
  ): Promise<Snippet> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    const set = {
      ...(name !== undefined && { name }),
      ...(text !== undefined && { text }),
      ...(tags !== undefined && { tags: [...new Set(tags)] }),
      ...(actions !== undefined && { actions: JSON.stringify(actions) }),
    };
    const row = await withFreeName(() =>
      database.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('snippet')
          .set({ ...set, updated_at: at })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('restorable_until', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (changed === undefined) throw new AppError('snippet_not_found');
        const details = { id, name: changed.name, fields: Object.keys(set) };
        await auditWorkspace(transaction, { workspaceId, actor, at, action: 'snippet_changed', details });
        return changed;
      }),
    );
    return snippetFromRow(row);
  }

  /** Throws `snippet_not_found`. */
  async delete(
    workspaceId: string,
    id: string,
    { actor = operatorActor, restorableMs = 0 }: Deletion = {},
  ): Promise<void> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const name = await deleteRow(transaction, { table: 'snippet', workspaceId, id, at }, restorableMs);
      if (name === null) throw new AppError('snippet_not_found');
      const details = { id, name };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'snippet_deleted', details });
    });
  }

  /** Takes back a deletion. Throws `snippet_not_found`, and `snippet_name_taken` if another one got the name. */
  async restore(workspaceId: string, id: string, actor = operatorActor): Promise<Snippet> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    const row = await withFreeName(() =>
      database.transaction().execute(async (transaction) => {
        const isRestored = await restoreRow(transaction, { table: 'snippet', workspaceId, id, at });
        if (!isRestored) throw new AppError('snippet_not_found');
        const restored = await transaction
          .selectFrom('snippet')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const details = { id, name: restored.name };
        await auditWorkspace(transaction, { workspaceId, actor, at, action: 'snippet_restored', details });
        return restored;
      }),
    );
    return snippetFromRow(row);
  }
}

async function withFreeName<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatesConstraint(error, 'snippet_name')) throw new AppError('snippet_name_taken', { cause: error });
    throw error;
  }
}

function snippetFromRow(row: Selectable<Tables['snippet']>): Snippet {
  return {
    id: row.id,
    name: row.name,
    text: row.text,
    tags: row.tags,
    actions: snippetActionsSchema.parse(row.actions),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

interface TaggedSnippets {
  readonly workspaceId: string;
  /** The tag that the snippets have. */
  readonly tag: string;
  /** An expression over the column `tags` for the new tags. */
  readonly tags: RawBuilder<unknown>;
}

/** Changes the tags of all snippets with a tag. Returns the number of snippets. */
export async function tagSnippets(
  transaction: Transaction<Tables>,
  { workspaceId, tag, tags }: TaggedSnippets,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update snippet set tags = ${tags} where workspace_id = ${workspaceId} and tags @> array[${tag}::text]
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

interface RestoredTags extends TaggedSnippets {
  /** A JSON array of `{ snippet_id, position }`. The expression reads them as `place`. */
  readonly places: string;
}

/** Gives snippets a removed tag back, unless they have it again. */
export async function restoreSnippetTags(
  transaction: Transaction<Tables>,
  { workspaceId, tag, tags, places }: RestoredTags,
): Promise<void> {
  await sql`
    update snippet set tags = ${tags}
    from jsonb_to_recordset(${places}::jsonb) as place (snippet_id text, position integer)
    where snippet.id = place.snippet_id and workspace_id = ${workspaceId} and not tags @> array[${tag}::text]
  `.execute(transaction);
}
