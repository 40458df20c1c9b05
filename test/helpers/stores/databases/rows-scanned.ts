import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

const scannedSchema = z.tuple([z.object({ scanned: z.number() })]);

/** How many rows of a table were read in the transaction so far by reading all there are. */
export async function rowsScanned(transaction: Transaction<Tables>, table: keyof Tables): Promise<number> {
  const { rows } = await sql`
    select seq_tup_read::int as scanned from pg_stat_xact_user_tables where relname = ${table}
  `.execute(transaction);
  return scannedSchema.parse(rows)[0].scanned;
}
