import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import type { Visitor } from './visitor.ts';

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
}

/** Longer than an answer may take: whoever died meanwhile does not keep his visitor waiting for ever. */
const turnMs = 45_000;

/**
 * One question of a visitor at a time, over all servers: two at once would begin two conversations. Returns how to give
 * the turn back. Throws `rate_limit_concurrent`.
 */
export async function takeTurn({ database, clock }: Stores, { id }: Visitor): Promise<() => Promise<void>> {
  const token = randomUUID();
  const now = clock.now();
  const taken = await database.kysely
    .updateTable('visitor')
    .set({ asking: token, asking_until: new Date(now.getTime() + turnMs) })
    .where('id', '=', id)
    .where(sql<boolean>`(asking is null or asking_until <= ${now})`)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n) {
    throw new AppError('rate_limit_concurrent', {
      detail: 'Another question of this visitor is being answered.',
      retryAfterSeconds: 1,
    });
  }
  return async () => {
    await database.kysely
      .updateTable('visitor')
      .set({ asking: null, asking_until: null })
      .where('id', '=', id)
      .where('asking', '=', token)
      .execute();
  };
}
