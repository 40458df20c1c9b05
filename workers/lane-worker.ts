import { stopWithGrace } from '../core/base/async.ts';
import { createAccountFinder } from '../core/channels/accounts/channel-accounts.ts';
import type { LaneKey } from '../core/channels/inbound/lane.ts';
import type { LaneDependencies } from '../core/channels/inbound/lane-dependencies.ts';
import type { Runtime } from '../core/runtime/runtime.ts';

/** Maximum number of lanes that one worker processes concurrently. */
const concurrency = 50;

interface LaneWorker {
  readonly name: 'answer' | 'deliver';
  readonly work: (dependencies: LaneDependencies, key: LaneKey) => Promise<unknown>;
  /** Background loop that runs until the worker stops. */
  readonly beside?: (dependencies: LaneDependencies) => Promise<void>;
}

/** Starts a worker that processes the lanes named by the jobs of one queue. The returned function stops it. */
export async function runLaneWorker(
  runtime: Runtime,
  { name, work, beside }: LaneWorker,
): Promise<() => Promise<void>> {
  const abortController = new AbortController();
  const dependencies: LaneDependencies = {
    ...runtime,
    findAccount: createAccountFinder(runtime),
    signal: abortController.signal,
  };
  const stop = await runtime.queue.work(name, {
    concurrency,
    async run(key) {
      await work(dependencies, key);
    },
    // Nothing to record: the sweep wakes the lane again.
    givenUp: async () => {},
  });
  const backgroundLoop = beside?.(dependencies);
  return async () => {
    await stopWithGrace(stop, { controller: abortController, seconds: runtime.config.SHUTDOWN_SECONDS });
    await backgroundLoop;
  };
}
