import type { Database } from './database.ts';

/**
 * What the autovacuum of a PostgreSQL server does by itself: the embedded engine has none. Each table is a statement of
 * its own, so that answers come in between.
 */
export async function vacuum({ engine, pool }: Database, tables: readonly string[]): Promise<void> {
  if (engine !== 'embedded') return;
  for (const table of tables) await pool.query(`vacuum (analyze) ${table}`);
}
