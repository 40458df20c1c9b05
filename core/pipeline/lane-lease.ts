import { sql } from 'kysely';

/** By the database's clock. After so long without a sign of life a lane is another process's. */
export const leaseSeconds = 20;

export const lease = sql`make_interval(secs => ${sql.lit(leaseSeconds)})`;
