import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { IngestPlace } from '../../core/knowledge/indexing/ingest-jobs.ts';
import { wakeDocuments } from '../../core/knowledge/indexing/ingest-jobs.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { vacuum, wornTables } from '../../core/storage/vacuum.ts';
import { wakeDueDeliveries } from '../webhooks/worker.ts';
import { countMessageTerms } from './backfill-message-terms.ts';
import { reopenSnoozedConversations, tellServiceLevels } from './conversation-timers.ts';
import { deleteExpiredConversations, emptyDeletedWorkspaces } from './purge-conversations.ts';
import {
  forgetCounts,
  forgetDeliveries,
  forgetEvents,
  forgetMemories,
  forgetPreviousSecrets,
  forgetUnsentFiles,
  forgetVisitors,
} from './purge-expired.ts';
import { batchRows, type Task } from './task.ts';

const pauseMs = 60_000;

/** Keeps the house, now and every minute, until the returned function is called: it resolves when nothing runs. */
export async function runHousekeeping(runtime: Runtime): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const rounds = keepOn(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await rounds;
  };
}

async function keepOn(runtime: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keepHouse(runtime, signal).catch((err: unknown) => {
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

/** Any number that no other lock of the product has. */
const lockNumber = 7_273_950;

/** Runs `work` in a transaction, unless another process is at such work: null then. */
function inTurn<Result>(
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
