import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { IngestQueueContext } from '../../core/knowledge/indexing/ingest-jobs.ts';
import { requeueDocuments } from '../../core/knowledge/indexing/ingest-jobs.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { findStaleTables, vacuum } from '../../core/storage/vacuum.ts';
import { wakeDueDeliveries } from '../webhooks/worker.ts';
import { reopenSnoozedConversations, sendSlaWebhooks } from './conversation-timers.ts';
import { purgeDeletedWorkspaces, purgeExpiredConversations } from './purge-conversations.ts';
import {
  forgetPreviousSecrets,
  purgeCounts,
  purgeDeliveries,
  purgeEvents,
  purgeRememberedValues,
  purgeUnsentFiles,
  purgeVisitors,
} from './purge-expired.ts';
import { batchRows, type Task } from './task.ts';

const pauseMs = 60_000;

/** Keeps the house, now and every minute, until the returned function is called: it resolves when nothing runs. */
export async function runMaintenanceWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const rounds = runRounds(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await rounds;
  };
}

async function runRounds(runtime: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await runMaintenance(runtime, signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'the housekeeping failed');
    });
    await runtime.secrets.resealInBackground(signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'resealing secrets failed');
    });
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(pauseMs, undefined, { signal }).catch(() => {
    // Rejects when it is cut short: whoever waits looks at the signal.
  });
}

const tasks: Readonly<Record<string, Task>> = {
  reopenSnoozedConversations,
  tellServiceLevels: sendSlaWebhooks,
  forgetDeliveries: purgeDeliveries,
  forgetEvents: purgeEvents,
  forgetMemories: purgeRememberedValues,
  forgetVisitors: purgeVisitors,
  forgetUnsentFiles: purgeUnsentFiles,
  forgetCounts: purgeCounts,
  forgetPreviousSecrets,
  deleteExpiredConversations: purgeExpiredConversations,
  emptyDeletedWorkspaces: purgeDeletedWorkspaces,
};

const unfinished = ['queued', 'indexing', 'deleted'] as const;
/** What came just now is on its way. */
const graceMs = 60_000;
/** So many at once: those that still wait a minute later come then. */
const mostDocuments = 500;

type MaintenanceDependencies = Pick<Runtime, 'database' | 'clock' | 'queue' | 'log'> & IngestQueueContext;

/**
 * One round: every task until nothing is left of it, in short transactions. What another process is at is left to it,
 * and a task that fails is tried in the next round, without keeping the others from their work. Ends early, between
 * two batches, when `signal` says so.
 */
export async function runMaintenance(keeper: MaintenanceDependencies, signal: AbortSignal): Promise<void> {
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await runTask(keeper, task, signal);
    } catch (err) {
      keeper.log.error({ err, task: name }, 'a task of the housekeeping failed');
    }
  }
  await wakeOthers(keeper).catch((err: unknown) => {
    keeper.log.error({ err }, 'what is left to other workers could not be woken');
  });
  if (!signal.aborted) await vacuum(keeper.database, await findStaleTables(keeper.database));
}

async function wakeOthers(keeper: MaintenanceDependencies): Promise<void> {
  const before = new Date(keeper.clock.now().getTime() - graceMs);
  await requeueDocuments(keeper, { statuses: unfinished, before, most: mostDocuments });
  await wakeDueDeliveries(keeper.database.kysely, keeper.queue, keeper.clock.now());
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

/** Any number that no other lock of the product has. */
const lockNumber = 7_273_950;

/** Runs `work` in a transaction, unless another process is at such work: null then. */
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
