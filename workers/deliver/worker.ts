import { setTimeout as wait } from 'node:timers/promises';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import type { Runtime } from '../../core/runtime.ts';
import { runLaneWorker } from '../lane-worker.ts';
import { pollDeliveryStatus } from './delivery-status.ts';
import { sendLane } from './send-lane.ts';

const askMs = 60_000;

/** Sends what could not be sent with its answer until the returned function is called. */
export function runDeliverWorker(runtime: Runtime): Promise<() => Promise<void>> {
  return runLaneWorker(runtime, { name: 'deliver', work: sendLane, beside: pollDeliveryStatusLoop });
}

/** Not in the sweep: a platform that does not answer keeps nobody from being woken. */
async function pollDeliveryStatusLoop(dependencies: LaneDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    await pollDeliveryStatus(dependencies).catch((err: unknown) => {
      log.error({ err }, 'nobody could be asked what became of messages');
    });
    await wait(askMs, undefined, { signal }).catch(() => {
      // Rejects when it is cut short: the loop looks at the signal.
    });
  }
}
