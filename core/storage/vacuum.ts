import { z } from 'zod';
import type { Database } from './database.ts';

/**
 * What the autovacuum of a PostgreSQL server does by itself: the embedded engine has none. Each table is a statement of
 * its own, so that answers come in between.
 */
export async function vacuum({ engine, pool }: Database, tables: readonly string[]): Promise<void> {
  if (engine !== 'embedded') return;
  for (const table of tables) await pool.query(`vacuum (analyze) ${table}`);
}

/**
 * The autovacuum's own rule with a higher threshold: what is known to be a small table is read from end to end, and would
 * be for as long as the session keeps the plan, however the table grows meanwhile.
 */
const statement = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where greatest(n_dead_tup, n_mod_since_analyze, n_ins_since_vacuum) >= 1000 + 0.2 * n_live_tup
`;

const rowsSchema = z.array(z.object({ name: z.string() }));

/** Tables that have changed so much since their last vacuum, as far as this session knows, that one is worth its time. */
export async function findStaleTables({ engine, pool }: Database): Promise<readonly string[]> {
  if (engine !== 'embedded') return [];
  // The engine itself would tell of its changes when it is idle, and it is never idle.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(statement);
  return rowsSchema.parse(rows).map(({ name }) => name);
}
