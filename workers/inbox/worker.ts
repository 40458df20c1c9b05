import { createAccountFinder } from '../../core/channels/accounts/channel-accounts.ts';
import { isFailureAction, runFailureBatch } from '../../core/channels/failures/failure-actions.ts';
import { runActionBatch } from '../../core/inbox/bulk-batch.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';

interface BulkDependencies
  extends Pick<
    Runtime,
    'channelAccounts' | 'clock' | 'connectors' | 'database' | 'log' | 'scheduleDeliveries'
  > {
  readonly queue: Pick<JobQueue, 'add' | 'work'>;
}

/** Low: a bulk action locks conversations that visitors write in. */
const concurrency = 2;

/** Starts the worker for bulk actions of the inbox and of failures. The returned function stops it after the current batch. */
export async function runBulkWorker(runtime: BulkDependencies): Promise<() => Promise<void>> {
  const { clock, database, log, queue, scheduleDeliveries } = runtime;
  const findAccount = createAccountFinder(runtime);
  const dependencies = { clock, database: database.kysely, findAccount, log, queue, scheduleDeliveries };
  const stopping = new AbortController();
  const stop = await queue.work('bulk', {
    concurrency,
    async run({ actionId }) {
      // A stopped action continues where it was, when maintenance queues it again.
      const run = isFailureAction(actionId) ? runFailureBatch : runActionBatch;
      while (!stopping.signal.aborted && (await run(dependencies, actionId)));
    },
    async givenUp({ actionId }, err) {
      log.warn({ err, action: actionId }, 'bulk action failed');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}
