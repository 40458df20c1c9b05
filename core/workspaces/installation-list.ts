import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { startOfMonth } from '../base/clock.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { planSchema, plans } from './workspace-settings.ts';

/** A workspace as the operator of an installation sees it: what it uses, and none of its contents. */
export interface ListedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly documents: number;
  readonly channels: number;
  readonly members: number;
  /** Messages of its owner in this month, over all workspaces of the owner. */
  readonly ownerMessages: number;
  readonly ownerLimit: number;
  readonly lastMessageAt: Date | null;
}

interface ListOptions extends PageRequest {
  /** A part of the name, or the beginning of the id of the workspace or the owner. */
  readonly search?: string | undefined;
  readonly now: Date;
}

const positionSchema = z.tuple([z.iso.datetime(), z.string().regex(/^\w+$/)]);

/** Returns the workspaces of the installation, newest first. Counts are read for the page only. Throws `invalid_cursor`. */
export async function listInstallation(
  database: Kysely<Tables>,
  { limit, cursor, search = '', now }: ListOptions,
): Promise<Page<ListedWorkspace>> {
  const list = `installation ${search}`;
  const after = cursor === undefined ? null : readCursor(list, cursor, positionSchema);
  const part = search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const { rows } = await sql<Omit<ListedWorkspace, 'ownerLimit'> & { readonly time: string }>`
    with page as (
      select id, name, owner_id, plan, created_at from workspace
      where deleted_at is null and staging_for is null
        and (${search === ''} or name ilike ${`%${part}%`} or id like ${`${part}%`} or owner_id like ${`${part}%`})
        and (${after === null} or (created_at, id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}))
      order by created_at desc, id desc limit ${limit + 1}
    )
    select page.id, page.name, page.owner_id as owner, page.plan, page.created_at as "createdAt",
           (select count(*) from document where workspace_id = page.id and status <> 'deleted')::int as documents,
           (select count(*) from channel where workspace_id = page.id)::int as channels,
           (select count(*) from membership
            where owner_id = page.owner_id and (workspace_ids is null or page.id = any(workspace_ids)))::int as members,
           coalesce((select messages from owner_usage
                     where owner_id = page.owner_id and month = ${startOfMonth(now)}::date), 0) as "ownerMessages",
           (select last_message_at from conversation where workspace_id = page.id
            order by last_message_at desc, id desc limit 1) as "lastMessageAt",
           to_char(page.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time
    from page order by page.created_at desc, page.id desc
  `.execute(database);
  const { items, nextCursor } = cutPage(rows, limit, ({ time, id }) => writeCursor(list, [time, id]));
  return {
    items: items.map(({ time: _, ...row }) => ({
      ...row,
      ownerLimit: plans[planSchema.parse(row.plan)].messagesPerMonth,
    })),
    nextCursor,
  };
}

/** How many workspaces and owners there are. */
export async function countInstallation(
  database: Kysely<Tables>,
): Promise<{ readonly workspaces: number; readonly owners: number }> {
  const { rows } = await sql<{ workspaces: number; owners: number }>`
    select count(*)::int as workspaces, count(distinct owner_id)::int as owners
    from workspace where deleted_at is null and staging_for is null`.execute(database);
  return rows[0] ?? { workspaces: 0, owners: 0 };
}
