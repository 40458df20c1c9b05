import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import type { KeptQueue } from './kept-queue.ts';
import { retryGivenUp } from './retry-given-up.ts';
import { wakeLanes } from './wake-lanes.ts';

/**
 * Tries again what was given up, of one channel or, where that is null, of all, and wakes workers for it. Returns how
 * many. Throws `channel_not_found`.
 */
export async function retryNow(
  { database: { kysely }, queue, clock, log }: Pick<Runtime, 'database' | 'queue' | 'clock' | 'log'>,
  name: KeptQueue,
  channelId: string | null,
): Promise<number> {
  if (channelId !== null) {
    const known = await kysely
      .selectFrom('channel')
      .select('id')
      .where('id', '=', channelId)
      .executeTakeFirst();
    if (known === undefined) throw new AppError('channel_not_found');
  }
  const now = clock.now();
  const retried = await retryGivenUp(kysely, name, { now, channelId });
  await wakeLanes(kysely, queue, { now, round: `retry-${now.getTime()}` }).catch((err: unknown) => {
    log.warn({ err }, 'workers could not be woken: they will be within a minute');
  });
  return retried;
}
