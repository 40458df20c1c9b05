import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

interface Held {
  readonly channelId: string;
  readonly token: string;
}

/** By the database's clock. Another process takes over a little later than that. */
const LEASE = sql`interval '10 seconds'`;

/** Of a row of `channel`: whether nobody but the holder of this token listens to it. */
export function mayListen(token: string) {
  return sql<boolean>`(listening is null or listening = ${token} or listening_until < clock_timestamp())`;
}

/** True where this process alone listens to the channel from now on. */
export async function takeListening(database: Kysely<Tables>, { channelId, token }: Held): Promise<boolean> {
  const { rows } = await sql`
    update channel set listening = ${token}, listening_until = clock_timestamp() + ${LEASE}
    where id = ${channelId} and enabled and ${mayListen(token)}
    returning 1
  `.execute(database);
  return rows.length > 0;
}

/** Which of the channels that this process listens to are still its own. */
export async function renewListening(
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

export async function dropListening(database: Kysely<Tables>, { channelId, token }: Held): Promise<void> {
  await sql`
    update channel set listening = null, listening_until = null where id = ${channelId} and listening = ${token}
  `.execute(database);
}
