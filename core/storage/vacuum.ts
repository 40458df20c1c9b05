import type { Database } from './database.ts';

/** Small enough to be read again each time; each is a statement of its own, so that answers come in between. */
const tables = [
  'posting',
  'term_count',
  'chunk',
  'chunk_vector',
  'document',
  'scope',
  'message',
  'conversation',
];

/**
 * What the autovacuum of a PostgreSQL server does by itself: the embedded engine has none, and without it searches
 * take twice as long (they have to look behind the index for every posting).
 */
export async function vacuum({ engine, pool }: Database): Promise<void> {
  if (engine !== 'embedded') return;
  for (const table of tables) await pool.query(`vacuum (analyze) ${table}`);
}
