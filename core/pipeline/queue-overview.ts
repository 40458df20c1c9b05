import type { JobQueue } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';
import { type ChannelOverview, channelOverview } from './channel-overview.ts';

export interface QueueOverview {
  readonly queues: Awaited<ReturnType<JobQueue['depths']>>;
  readonly channels: readonly ChannelOverview[];
}

/** What an operator looks at at night. */
export async function queueOverview(
  runtime: Pick<Runtime, 'database' | 'queue' | 'channels'>,
): Promise<QueueOverview> {
  const [queues, channels] = await Promise.all([runtime.queue.depths(), channelOverview(runtime)]);
  return { queues, channels };
}
