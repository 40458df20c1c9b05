import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Visitor } from './visitor.ts';

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** The lock is renewed while the question is answered. If the process dies, the visitor waits at most this long. */
const lockMs = 10_000;
const renewMs = 3_000;

/**
 * Ensures that only one question of a visitor is answered at a time, across all servers: two concurrent first questions
 * would start two conversations. Returns a function that releases the lock. Throws `rate_limit_concurrent`.
 */
export async function acquireVisitorLock(
  { database, clock, log }: Stores,
  { id }: Visitor,
): Promise<() => Promise<void>> {
  const token = randomUUID();
  const now = clock.now();
  const until = () => new Date(clock.now().getTime() + lockMs);
  const locked = await database.kysely
    .updateTable('visitor')
    .set({ asking: token, asking_until: until() })
    .where('id', '=', id)
    .where(sql<boolean>`(asking is null or asking_until <= ${now})`)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 0n) {
    throw new AppError('rate_limit_concurrent', {
      detail: 'Another question of this visitor is being answered. Wait for that answer first.',
      retryAfterSeconds: 1,
    });
  }
  const change = (columns: { readonly asking?: null; readonly asking_until: Date | null }) =>
    database.kysely
      .updateTable('visitor')
      .set(columns)
      .where('id', '=', id)
      .where('asking', '=', token)
      .execute();
  const renewal = setInterval(() => {
    change({ asking_until: until() }).catch((err: unknown) => {
      log.warn({ err }, 'visitor lock renewal failed');
    });
  }, renewMs);
  return async () => {
    clearInterval(renewal);
    await change({ asking: null, asking_until: null });
  };
}

/** Ends all locks at the start of the only process of an embedded database: no other process can hold them. */
export async function releaseVisitorLocks(database: Kysely<Tables>): Promise<void> {
  await database
    .updateTable('visitor')
    .set({ asking: null, asking_until: null })
    .where('asking', 'is not', null)
    .execute();
}
