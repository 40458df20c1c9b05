import { type Kysely, sql } from 'kysely';
import { storable } from '../storable.ts';
import type { Tables } from '../storage/tables.ts';

/**
 * The widget of the workspace with that public token: the oldest that is on, `channelId` null where none is. Null for a
 * token of no workspace.
 */
export async function findWidget(
  database: Kysely<Tables>,
  publicToken: string,
): Promise<{ readonly channelId: string | null } | null> {
  const row = await database
    .selectFrom('workspace')
    .leftJoin('channel', (join) =>
      join
        .onRef('channel.workspace_id', '=', 'workspace.id')
        .on('channel.channel', '=', 'widget')
        .on('channel.enabled', '=', true),
    )
    .select('channel.id')
    .where('workspace.public_token', '=', storable(publicToken))
    .where('workspace.deleted_at', 'is', null)
    .orderBy('channel.created_at')
    .orderBy('channel.id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { channelId: row.id };
}

/** The page of that slug, on or off. */
export async function findPage(database: Kysely<Tables>, slug: string): Promise<string | null> {
  const row = await database
    .selectFrom('channel')
    .select('id')
    .where(sql<string>`settings ->> 'slug'`, '=', storable(slug))
    .where(sql<boolean>`settings ? 'slug'`)
    .where('channel', '=', 'hosted')
    .executeTakeFirst();
  return row?.id ?? null;
}
