import { AppError } from '../errors.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';
import { type ChannelOverview, channelOverview } from './channel-overview.ts';

export interface QueueOverview {
  /** Null where the queue does not answer. */
  readonly queues: Awaited<ReturnType<JobQueue['depths']>> | null;
  readonly channels: readonly ChannelOverview[];
}

/** What an operator looks at at night. */
export async function queueOverview(
  runtime: Pick<Runtime, 'database' | 'queue' | 'channels' | 'log'>,
): Promise<QueueOverview> {
  const [queues, channels] = await Promise.all([
    runtime.queue.depths().catch((err: unknown) => {
      if (!(err instanceof AppError)) throw err;
      runtime.log.warn({ err }, 'the queue cannot be looked at');
      return null;
    }),
    channelOverview(runtime),
  ]);
  return { queues, channels };
}
