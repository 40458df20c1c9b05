import { stopWithGrace } from '../core/async.ts';
import { createAccountFinder } from '../core/channels/channel-accounts.ts';
import type { LaneKey } from '../core/inbound/lane.ts';
import type { LaneDependencies } from '../core/inbound/lane-dependencies.ts';
import type { Runtime } from '../core/runtime.ts';

/** Lanes that are worked in at once. */
const concurrency = 50;

interface LaneWorker {
  readonly name: 'answer' | 'deliver';
  readonly work: (dependencies: LaneDependencies, key: LaneKey) => Promise<unknown>;
  /** Goes on for as long as there are workers. */
  readonly beside?: (dependencies: LaneDependencies) => Promise<void>;
}

/** Works in the lanes that jobs of this name are for, until the returned function is called. */
export async function runLaneWorker(
  runtime: Runtime,
  { name, work, beside }: LaneWorker,
): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const dependencies: LaneDependencies = {
    ...runtime,
    findAccount: createAccountFinder(runtime),
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
