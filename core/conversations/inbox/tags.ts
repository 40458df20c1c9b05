import { type Kysely, sql } from 'kysely';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { operatorActor } from '../../contract/actor.ts';
import type { Deletion } from '../../storage/restorable.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { restoreSnippetTags, tagSnippets } from '../../workspaces/snippets.ts';

/** A tag with its number of conversations. */
export interface TagCount {
  readonly tag: string;
  readonly conversations: number;
  /** The conversations that are neither resolved nor archived. */
  readonly open: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** The maximum number of listed tags; the rarest are left out. */
const MAX_TAGS = 500;

/** The tags of a workspace's conversations. */
export class Tags {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns tags, the most used first. */
  async list(workspaceId: string): Promise<readonly TagCount[]> {
    const { rows } = await sql<TagCount>`
      select tag, count(*)::int as conversations,
             (count(*) filter (where status not in ('resolved', 'archived')))::int as open
      from conversation cross join lateral unnest(tags) as tag
      where workspace_id = ${workspaceId} and tags <> '{}'
      group by tag
      order by conversations desc, tag
      limit ${MAX_TAGS}
    `.execute(this.#dependencies.database);
    return rows;
  }

  /**
   * Replaces a tag by another one in all conversations and snippets. If the other one is in use, the two become one.
   * Returns the number of conversations that had it. Throws `tag_not_found`.
   */
  async rename(
    workspaceId: string,
    { from, to }: { readonly from: string; readonly to: string },
    actor = operatorActor,
  ): Promise<number> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      const conversations = await sql`
        update conversation
        set tags = ${replaced(from, to)}, updated_at = ${at}
        where workspace_id = ${workspaceId} and tags @> array[${from}]
      `.execute(transaction);
      const snippets = await tagSnippets(transaction, { workspaceId, tag: from, tags: replaced(from, to) });
      const count = Number(conversations.numAffectedRows ?? 0n);
      if (count + snippets === 0) throw new AppError('tag_not_found');
      const details = { from, to, conversations: count };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'tag_renamed', details });
      return count;
    });
  }

  /**
   * Removes a tag from all conversations and snippets. Returns the number of conversations that had it. Throws
   * `tag_not_found`.
   */
  async remove(
    workspaceId: string,
    tag: string,
    { actor = operatorActor, restorableMs = 0 }: Deletion = {},
  ): Promise<number> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      if (restorableMs > 0) {
        const until = new Date(at.getTime() + restorableMs);
        // The rows are locked, so that no place is noted that a concurrent change of tags moves.
        await sql`
          with conversations as (
            select id, array_position(tags, ${tag}::text) as position from conversation
            where workspace_id = ${workspaceId} and tags @> array[${tag}::text]
            for no key update
          ), snippets as (
            select id, array_position(tags, ${tag}::text) as position from snippet
            where workspace_id = ${workspaceId} and tags @> array[${tag}::text]
            for no key update
          )
          insert into removed_tag (workspace_id, tag, conversation_id, snippet_id, position, restorable_until)
          select ${workspaceId}, ${tag}, id, null, position, ${until}::timestamptz from conversations
          union all
          select ${workspaceId}, ${tag}, null, id, position, ${until}::timestamptz from snippets
        `.execute(transaction);
      }
      const conversations = await sql`
        update conversation set tags = array_remove(tags, ${tag}::text), updated_at = ${at}
        where workspace_id = ${workspaceId} and tags @> array[${tag}::text]
      `.execute(transaction);
      const tags = sql`array_remove(tags, ${tag}::text)`;
      const snippets = await tagSnippets(transaction, { workspaceId, tag, tags });
      const count = Number(conversations.numAffectedRows ?? 0n);
      if (count + snippets === 0) throw new AppError('tag_not_found');
      const details = { tag, conversations: count };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'tag_removed', details });
      return count;
    });
  }

  /**
   * Reverts a removal: conversations and snippets get the tag back in its place. Returns the number of conversations.
   * Throws `tag_not_found` if there is nothing to restore.
   */
  async restore(workspaceId: string, tag: string, actor = operatorActor): Promise<number> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      const places = await transaction
        .deleteFrom('removed_tag')
        .where('workspace_id', '=', workspaceId)
        .where('tag', '=', tag)
        .where('restorable_until', '>', at)
        .returning(['conversation_id', 'snippet_id', 'position'])
        .execute();
      if (places.length === 0) throw new AppError('tag_not_found');
      const given = JSON.stringify(places);
      const conversations = await sql`
        update conversation set tags = ${inPlace(tag)}, updated_at = ${at}
        from jsonb_to_recordset(${given}::jsonb) as place (conversation_id text, position integer)
        where conversation.id = place.conversation_id and workspace_id = ${workspaceId}
          and not tags @> array[${tag}::text]
      `.execute(transaction);
      await restoreSnippetTags(transaction, { workspaceId, tag, places: given, tags: inPlace(tag) });
      const count = Number(conversations.numAffectedRows ?? 0n);
      const details = { tag, conversations: count };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'tag_restored', details });
      return count;
    });
  }
}

/** The tags with one more at the position of `place`. */
function inPlace(tag: string) {
  return sql`tags[:place.position - 1] || ${tag}::text || tags[place.position:]`;
}

/** The tags in their order, with `to` in the place of `from`, once. */
function replaced(from: string, to: string) {
  return sql`case
    when tags @> array[${to}::text] then array_remove(tags, ${from}::text)
    else array_replace(tags, ${from}::text, ${to}::text)
  end`;
}
