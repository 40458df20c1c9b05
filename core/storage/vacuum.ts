import { z } from 'zod';
import type { Database } from './database.ts';

/**
 * Vacuums tables of the embedded database, which has no autovacuum. Each table is a statement of its own, so
 * that answers can run in between.
 */
export async function vacuum({ engine, pool }: Database, tables: readonly string[]): Promise<void> {
  if (engine !== 'embedded') return;
  for (const table of tables) await pool.query(`vacuum (analyze) ${table}`);
}

/**
 * The autovacuum's rule with a higher threshold: a table known to be small is scanned sequentially, and a
 * session keeps that plan however the table grows.
 */
const statement = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where greatest(n_dead_tup, n_mod_since_analyze, n_ins_since_vacuum) >= 1000 + 0.2 * n_live_tup
`;

const rowsSchema = z.array(z.object({ name: z.string() }));

/** Returns the tables that have changed enough since their last vacuum, as far as this session knows. */
export async function findStaleTables({ engine, pool }: Database): Promise<readonly string[]> {
  if (engine !== 'embedded') return [];
  // The engine only flushes its statistics when idle, which it never is.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(statement);
  return rowsSchema.parse(rows).map(({ name }) => name);
}
