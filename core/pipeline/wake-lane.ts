import { runInBackground } from '../async.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { LaneKey } from './lane-key.ts';

interface Wake {
  readonly name: 'answer' | 'deliver';
  /** Of the job: a lane is woken once for each. */
  readonly id: string;
  readonly key: LaneKey;
  readonly delayMs?: number;
}

interface Waking {
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Longer waits are as exact as they have to be by the queue's own clock. */
const exactMs = 60_000;

/**
 * Wakes a worker for a lane, now or after a while. A worker that has nothing to do may hear late of a job that was put
 * off, so this process wakes one at the right moment as well, as long as it lives. Never fails: what is missed the sweep
 * wakes.
 */
export async function wakeLane(
  { queue, log }: Waking,
  { name, id, key: { channelId, lane }, delayMs = 0 }: Wake,
): Promise<void> {
  const add = async (job: string, options?: { readonly delayMs: number }) => {
    try {
      await queue.add(name, `${channelId}-${job}`, { channelId, lane }, options);
    } catch (err) {
      // Redis is away, and its connection says so: there would be a line for each message.
      if (err instanceof AppError && err.code === 'upstream_timeout') return;
      log.warn({ err, channel: channelId }, 'a worker could not be woken: it will be within a minute');
    }
  };
  await add(id, { delayMs });
  if (delayMs === 0 || delayMs > exactMs) return;
  const addNow = () => runInBackground(add(`${id}-now`), (err) => log.warn({ err }, 'lane wake-up failed'));
  setTimeout(addNow, delayMs).unref();
}

/** The same for a caller that does not wait until the job is in the queue. */
export function wakeLaneInBackground(waking: Waking, wake: Wake): void {
  runInBackground(wakeLane(waking, wake), (err) => waking.log.warn({ err }, 'lane wake-up failed'));
}
