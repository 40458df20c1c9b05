import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/**
 * What earlier processes held is nobody's: for the only process that can be at its database. Elsewhere another one may have
 * it, and leases run out.
 */
export async function freeHeld(database: Kysely<Tables>): Promise<void> {
  await sql`select doubt_first_part(channel_id, lane) from lane where sending is not null`.execute(database);
  await database
    .updateTable('lane')
    .set({ answering: null, answering_until: null, sending: null, sending_until: null })
    .where((row) => row.or([row('answering', 'is not', null), row('sending', 'is not', null)]))
    .execute();
  await database
    .updateTable('channel')
    .set({ listening: null, listening_until: null })
    .where('listening', 'is not', null)
    .execute();
  await database
    .updateTable('visitor')
    .set({ asking: null, asking_until: null })
    .where('asking', 'is not', null)
    .execute();
}
