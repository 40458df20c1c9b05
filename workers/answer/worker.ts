import { setTimeout as wait } from 'node:timers/promises';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { wakeLanes } from '../../core/inbound/wake-lanes.ts';
import { expireUncollectedParts } from '../../core/outbound/pull-delivery.ts';
import type { Runtime } from '../../core/runtime.ts';
import { sendEmailFallbacks } from '../deliver/email-fallback.ts';
import { runLaneWorker } from '../lane-worker.ts';
import { answerLane } from './answer-lane.ts';

const sweepMs = 10_000;

/** Answers what comes in channels until the returned function is called. */
export function runAnswerWorker(runtime: Runtime): Promise<() => Promise<void>> {
  return runLaneWorker(runtime, { name: 'answer', work: answerLane, beside: sweep });
}

/** Begins at once: what an earlier process left undone does not wait. */
async function sweep(dependencies: LaneDependencies): Promise<void> {
  const { database, queue, clock, log, signal } = dependencies;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const now = clock.now();
    await wakeLanes(database.kysely, queue, { now, round: `${now.getTime()}`, isFirst }).catch(
      (err: unknown) => {
        log.error({ err }, 'what was left undone could not be woken');
      },
    );
    await expireUncollectedParts(database.kysely, now).catch((err: unknown) => {
      log.error({ err }, 'what nobody came for could not be given up');
    });
    await sendEmailFallbacks(dependencies).catch((err: unknown) => {
      log.error({ err }, 'what visitors have not seen could not be mailed');
    });
    await wait(sweepMs, undefined, { signal }).catch(() => {
      // Rejects when it is cut short: whoever waits looks at the signal.
    });
  }
}
