import type { DatabasePool } from '../../../../core/storage/database.ts';

/** How many sessions of a database wait for what another one has. */
export async function countLockWaits(pool: DatabasePool): Promise<number> {
  const { rows } = await pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length;
}
