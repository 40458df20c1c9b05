import { setTimeout as wait } from 'node:timers/promises';
import { watch } from 'chokidar';
import { type Kysely, sql } from 'kysely';
import { runInBackground } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { insertRun, type RunRow, wakeRun } from '../runs/run-queue.ts';
import { SourceError } from '../source-reader.ts';
import { type AllowedFolder, findAllowedFolder, findOwnerFolders, isLeftOut, MAX_DEPTH } from './folder.ts';

/** The interval at which sources are looked up and a change may start a run: changes in between share one. */
const ROUND_MS = 5_000;
/** The maximum of all workspaces. Other folders are read by their schedule only. */
const MAX_FOLDERS = 1_000;
/** Each file of a folder costs memory of the process and a watch of the system. */
const MAX_FILES = 20_000;

interface FolderWatchOptions {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
  /** The folders that the operator lets workspaces read. */
  readonly allowed: readonly AllowedFolder[];
  readonly roundMs?: number;
  readonly maxFiles?: number;
}

interface WatchedSource {
  readonly id: string;
  readonly workspace_id: string;
  readonly path: string;
}

/** A folder of a source. `changedAt` is the time of a change that no run has read yet. */
interface WatchedFolder {
  readonly path: string;
  changedAt: Date | null;
  close(): Promise<void>;
}

/**
 * Starts a run within seconds of a change in the folder of a source that has a schedule and is not paused. The
 * schedule finds changes that the system does not report, as on network drives. Of several processes that see a
 * change, one starts the run. The returned function stops watching.
 */
export function watchFolders(options: FolderWatchOptions): () => Promise<void> {
  const { log, roundMs = ROUND_MS } = options;
  const stopping = new AbortController();
  const folders = new Map<string, WatchedFolder>();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await runRound(options, folders).catch((err: unknown) => {
        log.warn({ err }, 'watching the folders of sources failed, retried soon');
      });
      await wait(roundMs, undefined, { signal: stopping.signal }).catch(() => {
        // Aborted: the loop checks the signal.
      });
    }
    await Promise.all([...folders.values()].map((folder) => folder.close()));
  };
  const rounds = run();
  return async () => {
    stopping.abort();
    await rounds;
  };
}

async function runRound(options: FolderWatchOptions, folders: Map<string, WatchedFolder>): Promise<void> {
  const sources = await findSources(options.database);
  const paths = new Map(sources.map(({ id, path }) => [id, path]));
  for (const [id, folder] of folders) {
    if (paths.get(id) === folder.path) continue;
    folders.delete(id);
    await folder.close();
  }
  for (const source of sources) {
    const folder = folders.get(source.id) ?? (await openFolder(options, source));
    if (folder === null) continue;
    folders.set(source.id, folder);
    const { changedAt } = folder;
    if (changedAt === null || !(await startRun(options, source, changedAt))) continue;
    if (folder.changedAt === changedAt) folder.changedAt = null;
  }
}

function findSources(database: Kysely<Tables>): Promise<readonly WatchedSource[]> {
  return database
    .selectFrom('source')
    .innerJoin('workspace', 'workspace.id', 'source.workspace_id')
    .select(['source.id', 'source.workspace_id', sql<string>`source.settings ->> 'path'`.as('path')])
    .where('source.kind', '=', 'folder')
    .where('source.paused_at', 'is', null)
    .where('source.schedule_minutes', 'is not', null)
    .where('workspace.deleted_at', 'is', null)
    .orderBy('source.created_at')
    .limit(MAX_FOLDERS)
    .execute();
}

/**
 * Files that are newer than the last run count as changes too, because they may have come while no process watched.
 * Returns null if the folder cannot be read now: its scheduled run reports that, and the next round tries again.
 */
async function openFolder(
  { database, clock, log, allowed, maxFiles = MAX_FILES }: FolderWatchOptions,
  { id, workspace_id, path }: WatchedSource,
): Promise<WatchedFolder | null> {
  try {
    const root = await findAllowedFolder(path, await findOwnerFolders(database, allowed, workspace_id));
    const lastRun = await findLastRun(database, id);
    const folder: WatchedFolder = { path, changedAt: null, close: () => watcher.close() };
    /** If the system has no watches left, each file fails. */
    const leaveToSchedule = (err: unknown) => {
      if (watcher.closed) return;
      log.warn({ err, source: id }, 'folder cannot be watched');
      runInBackground(watcher.close(), (fault) => log.warn({ err: fault }, 'closing a watcher failed'));
    };
    let isListed = false;
    const watcher = watch(root, {
      ...{ alwaysStat: true, followSymlinks: false, depth: MAX_DEPTH, ignorePermissionErrors: true },
      ignored: (found) => found !== root && isLeftOut(found),
    });
    let files = 0;
    watcher.on('all', (event, _, stats) => {
      if (event === 'add') files += 1;
      if (event === 'unlink') files -= 1;
      if (files > maxFiles) leaveToSchedule(new RangeError(`it has more than ${maxFiles} files`));
      const isFound = !isListed && (event === 'add' || event === 'addDir');
      const isOld = lastRun === null || event === 'addDir' || (stats?.ctimeMs ?? 0) <= lastRun.getTime();
      if (!(isFound && isOld)) folder.changedAt = clock.now();
    });
    watcher.on('ready', () => {
      isListed = true;
    });
    watcher.on('error', leaveToSchedule);
    return folder;
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

async function findLastRun(database: Kysely<Tables>, sourceId: string): Promise<Date | null> {
  const row = await database
    .selectFrom('source_run')
    .select('created_at')
    .where('source_id', '=', sourceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/** Returns false if an earlier run is still in progress, which may have missed the change. */
async function startRun(
  { database, clock, queue, log }: FolderWatchOptions,
  source: WatchedSource,
  changedAt: Date,
): Promise<boolean> {
  const started = await database.transaction().execute(async (transaction): Promise<RunRow | boolean> => {
    const row = await transaction
      .selectFrom('source')
      .select('id')
      .where('id', '=', source.id)
      .where('workspace_id', '=', source.workspace_id)
      .where('paused_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return true;
    const later = await transaction
      .selectFrom('source_run')
      .select('id')
      .where('source_id', '=', source.id)
      .where('created_at', '>=', changedAt)
      .limit(1)
      .executeTakeFirst();
    if (later !== undefined) return true;
    return (await insertRun(transaction, { source, startedBy: 'change', now: clock.now() })) ?? false;
  });
  if (typeof started === 'boolean') return started;
  await wakeRun({ queue, log }, started);
  return true;
}
