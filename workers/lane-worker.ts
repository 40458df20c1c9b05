import { stopWithGrace } from '../core/async.ts';
import { findAccountIn } from '../core/channels/channel-accounts.ts';
import type { LaneKey } from '../core/inbound/lane.ts';
import type { PipelineDependencies } from '../core/inbound/lane-dependencies.ts';
import type { Runtime } from '../core/runtime.ts';

/** Lanes that are worked in at once. */
const concurrency = 50;

interface LaneWorker {
  readonly name: 'answer' | 'deliver';
  readonly work: (dependencies: PipelineDependencies, key: LaneKey) => Promise<unknown>;
  /** Goes on for as long as there are workers. */
  readonly beside?: (dependencies: PipelineDependencies) => Promise<void>;
}

/** Works in the lanes that jobs of this name are for, until the returned function is called. */
export async function workInLanes(
  runtime: Runtime,
  { name, work, beside }: LaneWorker,
): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const dependencies: PipelineDependencies = {
    ...runtime,
    findAccount: findAccountIn(runtime),
    signal: ending.signal,
  };
  const stop = await runtime.queue.work(name, {
    concurrency,
    async run(key) {
      await work(dependencies, key);
    },
    // Its rows are as they were: the sweep wakes the lane again.
    givenUp: async () => {},
  });
  const going = beside?.(dependencies);
  return async () => {
    await stopWithGrace(stop, { ending, seconds: runtime.config.SHUTDOWN_SECONDS });
    await going;
  };
}
