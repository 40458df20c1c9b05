import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../core/runtime.ts';
import type { Service } from '../core/service.ts';
import { StartError } from '../core/start-error.ts';
import { answer } from './answer.ts';
import { deliver } from './deliver.ts';
import { housekeeping } from './housekeeping.ts';
import { ingest } from './ingest.ts';
import { listeners } from './listeners.ts';
import { summaries } from './summaries.ts';
import { webhooks } from './webhooks.ts';

/** Each kind of worker: works until the function it returns is called. */
const workers: Readonly<Record<string, (runtime: Runtime) => Promise<() => Promise<void>>>> = {
  ingest,
  housekeeping,
  webhooks,
  summaries,
  answer,
  deliver,
  listeners,
};

/** Starts the workers named, or all of them. */
export async function start(runtime: Runtime, names: readonly string[]): Promise<Service> {
  const wanted = names.length === 0 ? Object.keys(workers) : names;
  const stops: (() => Promise<void>)[] = [];
  for (const name of wanted) {
    const begin = workers[name];
    if (begin === undefined) {
      throw new StartError(
        `There is no worker "${name}": the workers are ${Object.keys(workers).join(', ')}.`,
      );
    }
    stops.push(await begin(runtime));
  }
  await runtime.processes.take('workers');
  runtime.log.info({ workers: wanted }, 'workers started');
  return {
    async stop() {
      const stopped = Promise.all(stops.map((stop) => stop())).then(() => true);
      const patience = wait(runtime.config.SHUTDOWN_SECONDS * 1_000, false, { ref: false });
      if (await Promise.race([stopped, patience])) {
        runtime.log.info({ workers: wanted }, 'workers stopped');
        return;
      }
      runtime.log.warn('workers are stopped in the middle of their work: others take it up again');
    },
  };
}
