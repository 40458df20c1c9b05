import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

interface ListenLease {
  readonly channelId: string;
  readonly token: string;
}

/** The duration of a lease, by the database's clock. After this time without renewal another process takes over. */
const LEASE = sql`interval '10 seconds'`;

/** SQL condition on a row of `channel`: true if no other process listens to it. */
export function canListen(token: string) {
  return sql<boolean>`(listening is null or listening = ${token} or listening_until < clock_timestamp())`;
}

/** Returns true if this process acquired the lease. */
export async function acquireListenLease(
  database: Kysely<Tables>,
  { channelId, token }: ListenLease,
): Promise<boolean> {
  const { rows } = await sql`
    update channel set listening = ${token}, listening_until = clock_timestamp() + ${LEASE}
    where id = ${channelId} and enabled and ${canListen(token)}
    returning 1
  `.execute(database);
  return rows.length > 0;
}

/** Renews the leases of this process and returns the channels that it still holds. */
export async function renewListenLease(
  database: Kysely<Tables>,
  { channelIds, token }: { readonly channelIds: readonly string[]; readonly token: string },
): Promise<ReadonlySet<string>> {
  if (channelIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    update channel set listening_until = clock_timestamp() + ${LEASE}
    where id = any (${channelIds}) and enabled and listening = ${token}
    returning id
  `.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Lets another process listen at once. */
export async function releaseListenLease(
  database: Kysely<Tables>,
  { channelId, token }: ListenLease,
): Promise<void> {
  await sql`
    update channel set listening = null, listening_until = null where id = ${channelId} and listening = ${token}
  `.execute(database);
}

interface Listenable {
  /** Version of the account's credentials and settings. */
  readonly version: string;
  /** True if no other process holds the lease. */
  readonly mayTake: boolean;
}

/** Returns the enabled channels of these kinds that have credentials of their own. */
export async function listListenableAccounts(
  database: Kysely<Tables>,
  { kinds, token }: { readonly kinds: readonly string[]; readonly token: string },
): Promise<ReadonlyMap<string, Listenable>> {
  if (kinds.length === 0) return new Map();
  const rows = await database
    .selectFrom('channel')
    .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
    .select([
      'channel.id',
      sql<string>`concat(channel.revision, ' ', md5(channel.settings::text))`.as('version'),
      canListen(token).as('mayTake'),
    ])
    .where('channel.channel', 'in', kinds)
    .where('channel.enabled', '=', true)
    .where('channel.parent_id', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
