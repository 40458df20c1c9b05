import { withTimeout } from '../core/base/async.ts';
import { StartError } from '../core/base/errors.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { Service } from '../core/runtime/shutdown.ts';
import { runAnswerWorker } from './answer/worker.ts';
import { runDeliverWorker } from './deliver/worker.ts';
import { runEvaluationWorker } from './evaluation/worker.ts';
import { runGapWorker } from './gaps/worker.ts';
import { runBulkWorker } from './inbox/worker.ts';
import { runIngestWorker } from './ingest/worker.ts';
import { runListenWorker } from './listen/worker.ts';
import { runMaintenanceWorker } from './maintenance/worker.ts';
import { runSourceWorker } from './sources/worker.ts';
import { runSummaryWorker } from './summaries/worker.ts';
import { runTicketWorker } from './tickets/worker.ts';
import { runWebhookWorker } from './webhooks/worker.ts';

/** Starts each kind of worker. The returned function stops it. */
export const workers: Readonly<Record<string, (runtime: Runtime) => Promise<() => Promise<void>>>> = {
  ingest: runIngestWorker,
  housekeeping: runMaintenanceWorker,
  webhooks: runWebhookWorker,
  summaries: runSummaryWorker,
  inbox: runBulkWorker,
  sources: runSourceWorker,
  evaluation: runEvaluationWorker,
  tickets: runTicketWorker,
  gaps: runGapWorker,
  answer: runAnswerWorker,
  deliver: runDeliverWorker,
  listeners: runListenWorker,
};

/** Starts the named workers, or all workers if no name is given. Throws a StartError for an unknown name. */
export async function start(runtime: Runtime, names: readonly string[]): Promise<Service> {
  const selected = names.length === 0 ? Object.keys(workers) : names;
  const starters = selected.map(findWorker);
  const stops: (() => Promise<void>)[] = [];
  const service: Service = {
    async stop() {
      const stopped = Promise.all(stops.map((stop) => stop()));
      if (await withTimeout(runtime.config.SHUTDOWN_SECONDS * 1_000, stopped)) {
        runtime.log.info({ workers: selected }, 'workers stopped');
        return;
      }
      runtime.log.warn('shutdown timed out; other workers retry the jobs');
    },
  };
  try {
    for (const startWorker of starters) stops.push(await startWorker(runtime));
    await runtime.processes.addRole('workers', selected);
  } catch (error) {
    await service.stop().catch((err: unknown) => {
      runtime.log.warn({ err }, 'stopping the started workers failed');
    });
    throw error;
  }
  runtime.log.info({ workers: selected }, 'workers started');
  return service;
}

function findWorker(name: string) {
  const startWorker = workers[name];
  if (startWorker !== undefined) return startWorker;
  throw new StartError(`Unknown worker "${name}". Use one or more of: ${Object.keys(workers).join(', ')}.`);
}
