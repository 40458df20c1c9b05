import { sql, type Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** The deliveries that a transaction has kept so far. */
export async function toldDeliveries(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ told: string[] }>`select told_deliveries() as told`.execute(transaction);
  return rows[0]?.told ?? [];
}
