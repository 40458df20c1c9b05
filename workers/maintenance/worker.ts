import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { findMailer } from '../../core/channels/mailer.ts';
import { assignWaiting, returnUnanswered } from '../../core/conversations/hand-over.ts';
import { findUnfinishedActions } from '../../core/inbox/bulk.ts';
import { requeueDocuments } from '../../core/knowledge/indexing/ingest-jobs.ts';
import { countDocumentUse } from '../../core/knowledge/use/document-use.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { requeueRuns, startDueRuns } from '../../core/sources/runs/run-queue.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { findStaleTables, vacuum } from '../../core/storage/vacuum.ts';
import { wakeDueDeliveries } from '../webhooks/worker.ts';
import { reopenSnoozedConversations, sendSlaWebhooks } from './conversation-timers.ts';
import { mailDigests } from './mail-digests.ts';
import { purgeDeletedWorkspaces, purgeExpiredConversations } from './purge-conversations.ts';
import {
  forgetPreviousSecrets,
  purgeActions,
  purgeCounts,
  purgeDeleted,
  purgeDeliveries,
  purgeEvents,
  purgeRememberedValues,
  purgeUnsentFiles,
  purgeVisitors,
} from './purge-expired.ts';
import { batchRows, type Task } from './task.ts';

const pauseMs = 60_000;

/**
 * Runs maintenance now and every minute. The returned function stops it and resolves when nothing runs any
 * more.
 */
export async function runMaintenanceWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const rounds = runRounds(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await rounds;
  };
}

async function runRounds(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const digests = { ...runtime, findMailer: (id: string) => findMailer(runtime, id) };
  while (!signal.aborted) {
    await runMaintenance(runtime, signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'maintenance failed');
    });
    await mailDigests(digests, signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'mailing digests failed');
    });
    await runtime.secrets.resealInBackground(signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'resealing secrets failed');
    });
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(pauseMs, undefined, { signal }).catch(() => {
    // Aborted: the loop checks the signal.
  });
}

const tasks: Readonly<Record<string, Task>> = {
  reopenSnoozedConversations,
  returnUnanswered,
  assignWaiting,
  sendSlaWebhooks,
  purgeDeliveries,
  purgeEvents,
  purgeRememberedValues,
  purgeVisitors,
  purgeDeleted,
  purgeUnsentFiles,
  purgeActions,
  purgeCounts,
  countUse: async ({ transaction, now }) => ((await countDocumentUse(transaction, now)) ? batchRows : 0),
  forgetPreviousSecrets,
  purgeExpiredConversations,
  purgeDeletedWorkspaces,
};

const unfinished = ['queued', 'indexing', 'deleted'] as const;
/** Grace period: recent documents are already being processed. */
const graceMs = 60_000;
/** Maximum per round. The rest follows in the next round. */
const MAX_DOCUMENTS = 500;

type MaintenanceDependencies = Pick<Runtime, 'database' | 'clock' | 'queue' | 'log'>;

/**
 * Runs one round: each task in short transactions until nothing is left for it. Skips tasks that another
 * process is running. A failed task is retried in the next round and does not stop the others. Stops between
 * two batches when `signal` is aborted.
 */
export async function runMaintenance(
  dependencies: MaintenanceDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await runTask(dependencies, task, signal);
    } catch (err) {
      dependencies.log.error({ err, task: name }, 'maintenance task failed');
    }
  }
  await wakeWorkers(dependencies).catch((err: unknown) => {
    dependencies.log.error({ err }, 'waking other workers failed');
  });
  if (!signal.aborted) await vacuum(dependencies.database, await findStaleTables(dependencies.database));
}

async function wakeWorkers(dependencies: MaintenanceDependencies): Promise<void> {
  const before = new Date(dependencies.clock.now().getTime() - graceMs);
  await requeueDocuments(dependencies, { statuses: unfinished, before, most: MAX_DOCUMENTS });
  await wakeDueDeliveries(dependencies.database.kysely, dependencies.queue, dependencies.clock.now());
  for (const id of await findUnfinishedActions(dependencies.database.kysely, before)) {
    await dependencies.queue.add('bulk', `${id}-again`, { actionId: id });
  }
  await requeueRuns(dependencies.database.kysely, before, dependencies);
  await startDueRuns({ ...dependencies, database: dependencies.database.kysely }, dependencies);
}

async function runTask(
  { database, clock }: MaintenanceDependencies,
  task: Task,
  signal: AbortSignal,
): Promise<void> {
  for (let rows: number | null = batchRows; rows !== null && rows >= batchRows && !signal.aborted; ) {
    rows = await withAdvisoryLock(database.kysely, (transaction) => task({ transaction, now: clock.now() }));
  }
}

/** Any number that no other advisory lock of the product uses. */
const lockNumber = 7_273_950;

/** Runs `work` in a transaction under an advisory lock. Returns null if another process holds the lock. */
function withAdvisoryLock<Result>(
  database: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${lockNumber}) as mine`.execute(transaction);
    return rows[0]?.mine === true ? work(transaction) : null;
  });
}
