import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Visitor } from './visitor.ts';

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Renewed while the question is answered: whoever dies meanwhile does not keep his visitor waiting for long. */
const lockMs = 10_000;
const renewMs = 3_000;

/**
 * One question of a visitor at a time, over all servers: two at once would begin two conversations. Returns how to give
 * the turn back. Throws `rate_limit_concurrent`.
 */
export async function acquireVisitorLock(
  { database, clock, log }: Stores,
  { id }: Visitor,
): Promise<() => Promise<void>> {
  const token = randomUUID();
  const now = clock.now();
  const until = () => new Date(clock.now().getTime() + lockMs);
  const taken = await database.kysely
    .updateTable('visitor')
    .set({ asking: token, asking_until: until() })
    .where('id', '=', id)
    .where(sql<boolean>`(asking is null or asking_until <= ${now})`)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n) {
    throw new AppError('rate_limit_concurrent', {
      detail: 'Another question of this visitor is being answered.',
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
      log.warn({ err }, "a visitor's turn could not be renewed");
    });
  }, renewMs);
  return async () => {
    clearInterval(renewal);
    await change({ asking: null, asking_until: null });
  };
}
