import { setTimeout as wait } from 'node:timers/promises';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { wakeLanes } from '../../core/channels/inbound/wake-lanes.ts';
import { expireUncollectedParts } from '../../core/channels/outbound/pull-delivery.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { sendEmailFallbacks } from '../deliver/email-fallback.ts';
import { runLaneWorker } from '../lane-worker.ts';
import { answerLane } from './answer-lane.ts';

const sweepMs = 10_000;

/** Starts the worker that answers the events of all channels. The returned function stops it. */
export function runAnswerWorker(runtime: Runtime): Promise<() => Promise<void>> {
  return runLaneWorker(runtime, { name: 'answer', work: answerLane, beside: sweep });
}

/** The first sweep runs immediately, to pick up work that an earlier process left. */
async function sweep(dependencies: LaneDependencies): Promise<void> {
  const { database, queue, clock, log, signal } = dependencies;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const now = clock.now();
    await wakeLanes(database.kysely, queue, { now, round: `${now.getTime()}`, isFirst }).catch(
      (err: unknown) => {
        log.error({ err }, 'waking idle lanes failed');
      },
    );
    await expireUncollectedParts(database.kysely, now).catch((err: unknown) => {
      log.error({ err }, 'expiring uncollected messages failed');
    });
    await sendEmailFallbacks(dependencies).catch((err: unknown) => {
      log.error({ err }, 'sending email fallbacks failed');
    });
    await wait(sweepMs, undefined, { signal }).catch(() => {
      // Aborted: the loop checks the signal.
    });
  }
}
