import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../runtime.ts';
import { answerLane } from './answer-lane.ts';
import { continueByMail } from './continue-by-mail.ts';
import { findAccountIn } from './find-account.ts';
import { giveUpUncollected } from './give-up-uncollected.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { sendLane } from './send-lane.ts';
import { wakeLanes } from './wake-lanes.ts';

/** Lanes that are worked in at once. */
const concurrency = 50;
const sweepMs = 10_000;

/** Answers what comes in channels until the returned function is called. */
export async function runAnswering(runtime: Runtime): Promise<() => Promise<void>> {
  const { queue } = runtime;
  const ending = new AbortController();
  const dependencies: PipelineDependencies = {
    ...runtime,
    findAccount: findAccountIn(runtime),
    signal: ending.signal,
  };
  const stop = await queue.work('answer', {
    concurrency,
    run: (key) => answerLane(dependencies, key),
    // Its rows are as they were: the sweep wakes the lane again.
    givenUp: async () => {},
  });
  const sweeping = sweep(runtime, ending.signal);
  return async () => {
    const grace = setTimeout(() => ending.abort(), runtime.config.SHUTDOWN_SECONDS * 1_000 * 0.8);
    await stop();
    clearTimeout(grace);
    ending.abort();
    await sweeping;
  };
}

/** Sends what could not be sent with its answer until the returned function is called. */
export async function runDelivering(runtime: Runtime): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const dependencies: PipelineDependencies = {
    ...runtime,
    findAccount: findAccountIn(runtime),
    signal: ending.signal,
  };
  const stop = await runtime.queue.work('deliver', {
    concurrency,
    run: (key) => sendLane(dependencies, key),
    givenUp: async () => {},
  });
  return async () => {
    const grace = setTimeout(() => ending.abort(), runtime.config.SHUTDOWN_SECONDS * 1_000 * 0.8);
    await stop();
    clearTimeout(grace);
    ending.abort();
  };
}

/** Begins at once: what an earlier process left undone does not wait. */
async function sweep(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { database, queue, clock, log } = runtime;
  const mailing = { ...runtime, findAccount: findAccountIn(runtime) };
  while (!signal.aborted) {
    const now = clock.now();
    await wakeLanes(database.kysely, queue, { now, round: `${now.getTime()}` }).catch((err: unknown) => {
      log.error({ err }, 'what was left undone could not be woken');
    });
    await giveUpUncollected(database.kysely, now).catch((err: unknown) => {
      log.error({ err }, 'what nobody came for could not be given up');
    });
    await continueByMail(mailing).catch((err: unknown) => {
      log.error({ err }, 'what visitors have not seen could not be mailed');
    });
    await wait(sweepMs, undefined, { signal }).catch(() => {
      // Rejects when it is cut short: whoever waits looks at the signal.
    });
  }
}
