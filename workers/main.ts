import { withTimeout } from '../core/async.ts';
import { StartError } from '../core/errors.ts';
import type { Service } from '../core/process/shutdown.ts';
import type { Runtime } from '../core/runtime.ts';
import { runAnswerWorker } from './answer/worker.ts';
import { runDeliverWorker } from './deliver/worker.ts';
import { runIngestWorker } from './ingest/worker.ts';
import { runListenWorker } from './listen/worker.ts';
import { runMaintenanceWorker } from './maintenance/worker.ts';
import { runSummaryWorker } from './summaries/worker.ts';
import { runWebhookWorker } from './webhooks/worker.ts';

/** Each kind of worker: works until the function it returns is called. */
const workers: Readonly<Record<string, (runtime: Runtime) => Promise<() => Promise<void>>>> = {
  ingest: runIngestWorker,
  housekeeping: runMaintenanceWorker,
  webhooks: runWebhookWorker,
  summaries: runSummaryWorker,
  answer: runAnswerWorker,
  deliver: runDeliverWorker,
  listeners: runListenWorker,
};

/** Starts the workers named, or all of them. Throws a StartError where there is no such worker. */
export async function start(runtime: Runtime, names: readonly string[]): Promise<Service> {
  const wanted = names.length === 0 ? Object.keys(workers) : names;
  const begins = wanted.map(findWorker);
  const stops: (() => Promise<void>)[] = [];
  const service: Service = {
    async stop() {
      const stopped = Promise.all(stops.map((stop) => stop()));
      if (await withTimeout(runtime.config.SHUTDOWN_SECONDS * 1_000, stopped)) {
        runtime.log.info({ workers: wanted }, 'workers stopped');
        return;
      }
      runtime.log.warn('workers are stopped in the middle of their work: others take it up again');
    },
  };
  try {
    for (const begin of begins) stops.push(await begin(runtime));
    await runtime.processes.addRole('workers');
  } catch (error) {
    await service.stop().catch((err: unknown) => {
      runtime.log.warn({ err }, 'workers that had begun did not end in order');
    });
    throw error;
  }
  runtime.log.info({ workers: wanted }, 'workers started');
  return service;
}

function findWorker(name: string) {
  const begin = workers[name];
  if (begin !== undefined) return begin;
  throw new StartError(`There is no worker "${name}": the workers are ${Object.keys(workers).join(', ')}.`);
}
