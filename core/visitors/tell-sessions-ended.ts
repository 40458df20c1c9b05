import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** So that no server tells news any longer to who had one of them. */
export async function tellSessionsEnded(database: Kysely<Tables>, visitorId: string): Promise<void> {
  await sql`select pg_notify('visitor_news', ${visitorId})`.execute(database);
}
