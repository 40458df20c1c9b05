import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { auditWorkspace, operatorActor } from '../audit-log.ts';

/** A tag with its number of conversations. */
export interface TagCount {
  readonly tag: string;
  readonly conversations: number;
  /** Those that are neither resolved nor archived. */
  readonly open: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** More tags than this are not listed, the rarest first. */
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
      const snippets = await sql`
        update snippet set tags = ${replaced(from, to)}
        where workspace_id = ${workspaceId} and tags @> array[${from}]
      `.execute(transaction);
      const count = Number(conversations.numAffectedRows ?? 0n);
      if (count + Number(snippets.numAffectedRows ?? 0n) === 0) throw new AppError('tag_not_found');
      const details = { from, to, conversations: count };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'tag_renamed', details });
      return count;
    });
  }
}

/** The tags in their order, with `to` in the place of `from`, once. */
function replaced(from: string, to: string) {
  return sql`case
    when tags @> array[${to}::text] then array_remove(tags, ${from}::text)
    else array_replace(tags, ${from}::text, ${to}::text)
  end`;
}
