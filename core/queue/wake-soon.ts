import type { Logger } from '../log.ts';
import type { JobName, JobPayload } from './catalogue.ts';
import type { JobQueue } from './queue.ts';

interface Wake<Name extends JobName> {
  readonly name: Name;
  readonly id: string;
  readonly payload: JobPayload<Name>;
  readonly delayMs: number;
}

/** Longer waits are as exact as they have to be by the queue's own clock. */
const exactMs = 60_000;

/**
 * Wakes a worker after a while. A worker that has nothing to do may hear late of a job that was put off, so this process
 * wakes one at the right moment as well, as long as it lives.
 */
export async function wakeSoon<Name extends JobName>(
  { queue, log }: { readonly queue: Pick<JobQueue, 'add'>; readonly log: Pick<Logger, 'warn'> },
  { name, id, payload, delayMs }: Wake<Name>,
): Promise<void> {
  await queue.add(name, id, payload, { delayMs });
  if (delayMs === 0 || delayMs > exactMs) return;
  const timer = setTimeout(() => {
    queue.add(name, `${id}-now`, payload).catch((err: unknown) => {
      log.warn({ err, queue: name }, 'a worker could not be woken: it will be within a minute');
    });
  }, delayMs);
  timer.unref();
}
