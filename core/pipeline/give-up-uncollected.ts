import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** Whoever comes for it does so within seconds. */
const longestMs = 5 * 60_000;

/** What nobody came for in all that time nobody will: the connection that it was for is gone. */
export async function giveUpUncollected(database: Kysely<Tables>, now: Date): Promise<void> {
  await sql`
    update outbound_part set status = 'failed', failure = 'Nobody came for it within five minutes.'
    where status = 'collectable' and created_at < ${new Date(now.getTime() - longestMs)}
  `.execute(database);
}
