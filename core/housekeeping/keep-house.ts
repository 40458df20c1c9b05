import type { IngestPlace } from '../knowledge/ingest-job.ts';
import { wakeDocuments } from '../knowledge/wake-documents.ts';
import type { Runtime } from '../runtime.ts';
import { vacuum } from '../storage/vacuum.ts';
import { wornTables } from '../storage/worn-tables.ts';
import { wakeDueDeliveries } from '../webhooks/wake-due-deliveries.ts';
import { countMessageTerms } from './count-message-terms.ts';
import { deleteExpiredConversations } from './delete-expired-conversations.ts';
import { emptyDeletedWorkspaces } from './empty-deleted-workspaces.ts';
import { forgetCounts } from './forget-counts.ts';
import { forgetDeliveries } from './forget-deliveries.ts';
import { forgetEvents } from './forget-events.ts';
import { forgetMemories } from './forget-memories.ts';
import { forgetPreviousSecrets } from './forget-previous-secrets.ts';
import { forgetUnsentFiles } from './forget-unsent-files.ts';
import { forgetVisitors } from './forget-visitors.ts';
import { inTurn } from './in-turn.ts';
import { reopenSnoozedConversations } from './reopen-snoozed-conversations.ts';
import { batchRows, type Task } from './task.ts';
import { tellServiceLevels } from './tell-service-levels.ts';

const tasks: Readonly<Record<string, Task>> = {
  reopenSnoozedConversations,
  tellServiceLevels,
  forgetDeliveries,
  forgetEvents,
  forgetMemories,
  forgetVisitors,
  forgetUnsentFiles,
  forgetCounts,
  forgetPreviousSecrets,
  deleteExpiredConversations,
  emptyDeletedWorkspaces,
  countMessageTerms,
};

const unfinished = ['queued', 'indexing', 'deleted'] as const;
/** What came just now is on its way. */
const graceMs = 60_000;
/** So many at once: those that still wait a minute later come then. */
const mostDocuments = 500;

type Keeper = Pick<Runtime, 'database' | 'clock' | 'queue' | 'log'> & IngestPlace;

/**
 * One round: every task until nothing is left of it, in short transactions. What another process is at is left to it,
 * and a task that fails is tried in the next round, without keeping the others from their work. Ends early, between
 * two batches, when `signal` says so.
 */
export async function keepHouse(keeper: Keeper, signal: AbortSignal): Promise<void> {
  for (const [name, task] of Object.entries(tasks)) {
    try {
      await carryOut(keeper, task, signal);
    } catch (err) {
      keeper.log.error({ err, task: name }, 'a task of the housekeeping failed');
    }
  }
  await wakeOthers(keeper).catch((err: unknown) => {
    keeper.log.error({ err }, 'what is left to other workers could not be woken');
  });
  if (!signal.aborted) await vacuum(keeper.database, await wornTables(keeper.database));
}

async function wakeOthers(keeper: Keeper): Promise<void> {
  const before = new Date(keeper.clock.now().getTime() - graceMs);
  await wakeDocuments(keeper, { statuses: unfinished, before, most: mostDocuments });
  await wakeDueDeliveries(keeper.database.kysely, keeper.queue, keeper.clock.now());
}

async function carryOut({ database, clock }: Keeper, task: Task, signal: AbortSignal): Promise<void> {
  for (let rows: number | null = batchRows; rows !== null && rows >= batchRows && !signal.aborted; ) {
    rows = await inTurn(database.kysely, (transaction) => task({ transaction, now: clock.now() }));
  }
}
