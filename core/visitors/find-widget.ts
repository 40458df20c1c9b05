import { type Kysely, sql } from 'kysely';
import { toStorableText } from '../base/text.ts';
import { pageChannel, widgetChannel } from '../contract/conversation-values.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Sought {
  readonly publicToken: string;
  readonly now: Date;
}

/**
 * Returns the widget for a public token: the channel with that token, or the oldest enabled widget of the workspace with
 * that token. `channelId` is null if no widget is enabled. A former token is valid during its grace period. Returns null
 * for an unknown token.
 */
export async function findWidget(
  database: Kysely<Tables>,
  { publicToken, now }: Sought,
): Promise<{ readonly channelId: string | null } | null> {
  const token = toStorableText(publicToken);
  const { rows } = await sql<{ id: string | null; is_known: boolean }>`
    with own as (
      select id from channel where public_token = ${token}
      union all
      select id from channel where previous_public_token = ${token} and previous_public_token_until > ${now}
    ), addressed as (
      select id from workspace where public_token = ${token}
      union all
      select id from workspace where previous_public_token = ${token} and previous_public_token_until > ${now}
    ), candidate as (
      select id, workspace_id, created_at, enabled from channel where id in (select id from own)
      union all
      select id, workspace_id, created_at, enabled from channel where workspace_id in (select id from addressed)
        and channel.channel = ${widgetChannel}
    ), opened as (
      select candidate.id from candidate
      join workspace on workspace.id = candidate.workspace_id and workspace.deleted_at is null
      where candidate.enabled
      order by candidate.created_at, candidate.id
      limit 1
    )
    select (select id from opened) as id, exists (select from own) or exists (select from addressed) as is_known
  `.execute(database);
  return rows[0]?.is_known === true ? { channelId: rows[0].id } : null;
}

/** Returns the id of the hosted page with that slug, enabled or not. */
export async function findPage(database: Kysely<Tables>, slug: string): Promise<string | null> {
  const row = await database
    .selectFrom('channel')
    .select('id')
    .where(sql<string>`settings ->> 'slug'`, '=', toStorableText(slug))
    .where(sql<boolean>`settings ? 'slug'`)
    .where('channel', '=', pageChannel)
    .executeTakeFirst();
  return row?.id ?? null;
}
