import { setTimeout as wait } from 'node:timers/promises';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { runLaneWorker } from '../lane-worker.ts';
import { pollDeliveryStatus } from './delivery-status.ts';
import { sendLane } from './send-lane.ts';

const POLL_INTERVAL_MS = 60_000;

/**
 * Starts the worker that sends parts which could not be sent together with their answer. The returned function
 * stops it.
 */
export function runDeliverWorker(runtime: Runtime): Promise<() => Promise<void>> {
  return runLaneWorker(runtime, { name: 'deliver', work: sendLane, beside: pollDeliveryStatusLoop });
}

/** Separate from the sweep, so that a slow platform does not delay waking lanes. */
async function pollDeliveryStatusLoop(dependencies: LaneDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    await pollDeliveryStatus(dependencies).catch((err: unknown) => {
      log.error({ err }, 'delivery status poll failed');
    });
    await wait(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {
      // Aborted: the loop checks the signal.
    });
  }
}
