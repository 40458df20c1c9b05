import { sql } from 'kysely';
import type { Runtime } from '../../../core/runtime/runtime.ts';

/** How many messages are counted against the owner, over all months. */
export async function ownerMessages({ database }: Runtime, owner: string): Promise<number> {
  const { rows } = await sql<{ messages: number }>`
    select coalesce(sum(messages), 0)::int as messages from owner_usage where owner_id = ${owner}
  `.execute(database.kysely);
  return rows[0]?.messages ?? 0;
}

/** Leaves the owner so many messages of this month. */
export async function leaveMessages({ database }: Runtime, owner: string, left: number): Promise<void> {
  await sql`
    insert into owner_usage (owner_id, month, messages)
    values (${owner}, date_trunc('month', now() at time zone 'UTC')::date, 2000 - ${left}::int)
    on conflict (owner_id, month) do update set messages = excluded.messages
  `.execute(database.kysely);
}
