import { sql } from 'kysely';

/** By the database's clock. After so long without a sign of life a lane is another process's. */
export const lease = sql`interval '20 seconds'`;
