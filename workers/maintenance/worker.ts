import { setTimeout as wait } from 'node:timers/promises';
import { offerCorrections } from '../../core/answering/refit/correction-offers.ts';
import { purgeKeptChanges } from '../../core/changes/published-sets.ts';
import { purgeRememberedValues } from '../../core/channels/accounts/remembered-values.ts';
import { purgeFailureActions, requeueFailureActions } from '../../core/channels/failures/failure-actions.ts';
import { purgeEvents } from '../../core/channels/inbound/event-records.ts';
import { findMailer } from '../../core/channels/mailer.ts';
import { purgeUnsentAgentFiles } from '../../core/channels/outbound/agent-files.ts';
import { reopenSnoozedConversations, sendSlaWebhooks } from '../../core/conversations/conversation-timers.ts';
import { assignWaiting, returnUnanswered } from '../../core/conversations/hand-over.ts';
import { collectSearchWords } from '../../core/conversations/list/search-words.ts';
import { purgeTraces } from '../../core/conversations/messages/traces.ts';
import { purgeExpiredConversations } from '../../core/conversations/purge-conversations.ts';
import { requeueGapChecks, sortAtNight } from '../../core/evaluation/gaps/gap-queue.ts';
import { requeueTestRuns, startNightlyRuns } from '../../core/evaluation/test-runs.ts';
import { findUnfinishedActions, purgeActions } from '../../core/inbox/bulk.ts';
import { rollUpInsights } from '../../core/insights/roll-up.ts';
import { recountIndex } from '../../core/knowledge/indexing/index-counts.ts';
import { requeueDocuments } from '../../core/knowledge/indexing/ingest-jobs.ts';
import { countDocumentUse } from '../../core/knowledge/use/document-use.ts';
import { purgeCounts } from '../../core/limits/purge-counts.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { forgetPreviousSecrets } from '../../core/secrets/secret-rotation.ts';
import { purgeHookCalls } from '../../core/sources/hooks/source-hooks.ts';
import { startDueCuts } from '../../core/sources/ledger/cut-runs.ts';
import { startNoticeRuns } from '../../core/sources/notices/notice-rows.ts';
import { requeueRuns, startDueRuns } from '../../core/sources/runs/run-queue.ts';
import { batchRows, type Task, withAdvisoryLock } from '../../core/storage/maintenance-task.ts';
import { purgeProcesses } from '../../core/storage/process-registry.ts';
import { purgeDeleted } from '../../core/storage/restorable.ts';
import { findStaleTables, vacuum } from '../../core/storage/vacuum.ts';
import { purgeTicketImports } from '../../core/tickets/purge-imports.ts';
import { requeueTicketImports } from '../../core/tickets/ticket-imports.ts';
import { purgeUnsentVisitorFiles, purgeVisitors } from '../../core/visitors/purge-visitors.ts';
import { purgeDeliveries } from '../../core/webhooks/deliveries.ts';
import { wakeDueDeliveries } from '../webhooks/worker.ts';
import { mailDigests } from './mail-digests.ts';
import { mailHolds } from './mail-holds.ts';
import { purgeDeletedWorkspaces } from './purge-conversations.ts';

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
    await mailHolds(digests, signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'mailing holds of sources failed');
    });
    await runtime.secrets.resealInBackground(signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'resealing secrets failed');
    });
    await recountIndex({ ...runtime, database: runtime.database.kysely }).catch((err: unknown) => {
      runtime.log.error({ err }, 'counting the index failed');
    });
    runtime.processes.did('housekeeping');
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
  purgeUnsentVisitorFiles,
  purgeUnsentAgentFiles,
  purgeActions,
  purgeFailureActions,
  purgeProcesses,
  purgeCounts,
  purgeHookCalls,
  purgeTicketImports,
  purgeKeptChanges,
  countUse: async ({ transaction, now }) => ((await countDocumentUse(transaction, now)) ? batchRows : 0),
  forgetPreviousSecrets,
  offerCorrections,
  collectSearchWords,
  purgeExpiredConversations,
  purgeTraces,
  purgeDeletedWorkspaces,
};

const unfinished = ['queued', 'indexing', 'deleted'] as const;
/** Grace period: recent documents are already being processed. */
const graceMs = 60_000;
/** Maximum per round. The rest follows in the next round. */
const MAX_DOCUMENTS = 500;

type MaintenanceDependencies = Pick<Runtime, 'database' | 'clock' | 'queue' | 'log' | 'connectors'>;

/** The tasks that need to know the channels. */
function channelTasks({ connectors }: MaintenanceDependencies): Readonly<Record<string, Task>> {
  return {
    // Clients of the API and of agents learn it from the answer itself.
    rollUpInsights: (context) =>
      rollUpInsights(
        context,
        (channel) => connectors.findConnector(channel)?.about.disclosure ?? 'interface',
      ),
  };
}

/**
 * Runs one round: each task in short transactions until nothing is left for it. It skips tasks that another process
 * is running. A failed task is retried in the next round and does not stop the others. It stops between two batches
 * when `signal` is aborted.
 */
export async function runMaintenance(
  dependencies: MaintenanceDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, task] of Object.entries({ ...tasks, ...channelTasks(dependencies) })) {
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
  await requeueFailureActions({ ...dependencies, database: dependencies.database.kysely }, before);
  await requeueRuns(dependencies.database.kysely, before, dependencies);
  await startNoticeRuns(dependencies.database.kysely, { ...dependencies, now: dependencies.clock.now() });
  const stores = { ...dependencies, database: dependencies.database.kysely };
  await startDueRuns(stores, dependencies);
  await requeueTestRuns(stores, before);
  await requeueTicketImports(stores, before);
  await startNightlyRuns(stores);
  await requeueGapChecks(stores, before);
  await sortAtNight(stores);
  await startDueCuts(stores, dependencies);
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
