import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../runtime.ts';
import { stopWithGrace } from '../stop-with-grace.ts';
import { answerLane } from './answer-lane.ts';
import { askForOutcomes } from './ask-for-outcomes.ts';
import { continueByMail } from './continue-by-mail.ts';
import { findAccountIn } from './find-account.ts';
import { giveUpUncollected } from './give-up-uncollected.ts';
import type { LaneKey } from './lane-key.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { sendLane } from './send-lane.ts';
import { wakeLanes } from './wake-lanes.ts';

/** Lanes that are worked in at once. */
const concurrency = 50;
const sweepMs = 10_000;
const askMs = 60_000;

/** Answers what comes in channels until the returned function is called. */
export function runAnswering(runtime: Runtime): Promise<() => Promise<void>> {
  return workInLanes(runtime, { name: 'answer', work: answerLane, beside: sweep });
}

/** Sends what could not be sent with its answer until the returned function is called. */
export function runDelivering(runtime: Runtime): Promise<() => Promise<void>> {
  return workInLanes(runtime, { name: 'deliver', work: sendLane, beside: keepAsking });
}

interface LaneWorker {
  readonly name: 'answer' | 'deliver';
  readonly work: (dependencies: PipelineDependencies, key: LaneKey) => Promise<unknown>;
  /** Goes on for as long as there are workers. */
  readonly beside?: (dependencies: PipelineDependencies) => Promise<void>;
}

async function workInLanes(
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

/** Not in the sweep: a platform that does not answer keeps nobody from being woken. */
async function keepAsking(dependencies: PipelineDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    await askForOutcomes(dependencies).catch((err: unknown) => {
      log.error({ err }, 'nobody could be asked what became of messages');
    });
    await wait(askMs, undefined, { signal }).catch(() => {
      // Rejects when it is cut short: the loop looks at the signal.
    });
  }
}

/** Begins at once: what an earlier process left undone does not wait. */
async function sweep(dependencies: PipelineDependencies): Promise<void> {
  const { database, queue, clock, log, signal } = dependencies;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const now = clock.now();
    await wakeLanes(database.kysely, queue, { now, round: `${now.getTime()}`, isFirst }).catch(
      (err: unknown) => {
        log.error({ err }, 'what was left undone could not be woken');
      },
    );
    await giveUpUncollected(database.kysely, now).catch((err: unknown) => {
      log.error({ err }, 'what nobody came for could not be given up');
    });
    await continueByMail(dependencies).catch((err: unknown) => {
      log.error({ err }, 'what visitors have not seen could not be mailed');
    });
    await wait(sweepMs, undefined, { signal }).catch(() => {
      // Rejects when it is cut short: whoever waits looks at the signal.
    });
  }
}
