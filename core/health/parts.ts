import { statfs } from 'node:fs/promises';
import { findLastBackup, MAX_BACKUP_AGE_HOURS } from '../backup/last-backup.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import { countIndex, INDEX_COUNTS_SETTING, readIndexCounts } from '../knowledge/indexing/index-counts.ts';
import type { ModelOutcomes } from '../models/model-outcomes.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Database } from '../storage/database.ts';
import { findSchemaState } from '../storage/migrate.ts';
import { type MissingObjects, readCatalogue } from '../storage/migrating/catalogue.ts';
import type { LiveProcess, ProcessRegistry } from '../storage/process-registry.ts';
import type { Settings } from '../storage/settings.ts';
import { type Duty, duties, readOldestDue } from './duties.ts';
import { absent, broken, degraded, good, type Look, type Part, unknown } from './part.ts';
import { dutyAdvice, installationParts } from './part-facts.ts';

export interface PartDependencies {
  readonly config: Pick<Config, 'DATA_DIR' | 'REDIS_URL'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'kysely' | 'engine' | 'faults'>;
  readonly settings: Pick<Settings, 'get'>;
  readonly processes: Pick<ProcessRegistry, 'canWrite' | 'listLive' | 'note'>;
  readonly queue: Pick<JobQueue, 'ping'>;
  readonly embedder: Pick<Embedder, 'engine' | 'check'>;
  readonly modelOutcomes: Pick<ModelOutcomes, 'paused' | 'called'>;
}

const PROCESSES_HOLD_MS = 900;
const DUTIES_HOLD_MS = 4_000;
const SLOW_HOLD_MS = 30_000;
const MAX_CLOCK_MS = 2_000;
const MIN_FREE_BYTES = 2 ** 30;
const INDEX_COUNTS_OLD_MS = 24 * 3_600_000;

/** Everything that the installation needs, in the order in which people read it. No other place decides what is well. */
export function listParts(dependencies: PartDependencies): readonly Part[] {
  const { database, processes, embedder, queue, config } = dependencies;
  const listLive = holdFor(PROCESSES_HOLD_MS, () => processes.listLive());
  const oldestDue = holdFor(DUTIES_HOLD_MS, () => readOldestDue(database.kysely));
  return [
    ...duties.map((duty) => dutyPart(duty, dependencies, { listLive, oldestDue })),
    {
      ...installationParts.database,
      answers: true,
      look: () => lookAtDatabase(dependencies),
    },
    {
      ...installationParts.schema,
      holdsMs: SLOW_HOLD_MS,
      isSlow: true,
      look: () => lookAtSchema(dependencies),
    },
    {
      ...installationParts.index,
      holdsMs: SLOW_HOLD_MS,
      isSlow: true,
      look: (isFresh) => lookAtIndex(dependencies, isFresh),
    },
    {
      ...installationParts.queue,
      advice: config.REDIS_URL === undefined ? 'Check the database.' : 'Check that Redis runs (REDIS_URL).',
      answers: true,
      look: async () => {
        await queue.ping();
        return good(`The queue in ${config.REDIS_URL === undefined ? 'the database' : 'Redis'} answers.`);
      },
    },
    ...(embedder.engine === 'none' ? [] : [embedderPart(embedder)]),
    {
      ...installationParts.models,
      look: async () => lookAtModels(dependencies),
    },
    {
      ...installationParts.clock,
      look: async () => lookAtClocks(await listLive()),
    },
    {
      ...installationParts.disk,
      look: async () => {
        await measureDisk(dependencies);
        return lookAtDisks(await listLive());
      },
    },
    {
      ...installationParts.backup,
      holdsMs: SLOW_HOLD_MS,
      look: () => lookAtBackup(dependencies),
    },
  ];
}

interface Shared {
  readonly listLive: () => Promise<readonly LiveProcess[]>;
  readonly oldestDue: () => Promise<ReadonlyMap<string, number | null>>;
}

function dutyPart(duty: Duty, { clock }: PartDependencies, { listLive, oldestDue }: Shared): Part {
  const { kind, without, promise, lateAfterSeconds, reportsRounds = false } = duty;
  return {
    name: kind,
    worker: kind,
    promise,
    advice: dutyAdvice(kind),
    stateIfBroken: 'degraded',
    look: async () => {
      const doing = (await listLive()).filter(({ roles }) => roles.includes(kind));
      if (doing.length === 0) return absent(`No process runs it: ${without}.`);
      const where = doing.length === 1 ? 'One process runs it' : `${doing.length} processes run it`;
      if (reportsRounds) return lookAtRounds(duty, secondsSinceRound(kind, doing, clock), where);
      const seconds = duty.oldestDue === null ? null : ((await oldestDue()).get(kind) ?? 0);
      return lookAtOldest(seconds, lateAfterSeconds, where);
    },
  };
}

const LATE_ADVICE = 'Look into the log of the processes that run it, or start one more.';

function lookAtRounds({ lateAfterSeconds }: Duty, seconds: number, where: string): Look {
  const last = `the last round was ${describeSeconds(seconds)} ago`;
  return seconds > lateAfterSeconds
    ? broken(`${where}, but ${last}.`, LATE_ADVICE)
    : good(`${where}; ${last}.`);
}

/** `seconds` is null for a duty that leaves nothing which waits. */
function lookAtOldest(seconds: number | null, lateAfterSeconds: number, where: string): Look {
  if (seconds === null) return good(`${where}.`);
  const waited = `the oldest work has waited ${describeSeconds(seconds)}`;
  if (seconds > lateAfterSeconds) return broken(`${where}, but ${waited}.`, LATE_ADVICE);
  return good(seconds < 1 ? `${where}; nothing waits.` : `${where}; ${waited}.`);
}

/** A process that has just begun counts from its start. */
function secondsSinceRound(kind: string, doing: readonly LiveProcess[], clock: Clock): number {
  const ages = doing.flatMap(({ facts, startedAt }) => {
    const at = facts.did?.[kind];
    const since = at === undefined ? startedAt : new Date(at);
    return [(clock.now().getTime() - since.getTime()) / 1_000];
  });
  return Math.max(0, Math.min(...ages));
}

function embedderPart(embedder: PartDependencies['embedder']): Part {
  const isRemote = embedder.engine === 'remote';
  return {
    ...installationParts.embedder,
    advice: isRemote
      ? "Check the provider's API key and address, and the name of the model in EMBEDDING_MODEL."
      : 'Install the packages again (npm ci), or change EMBEDDING_ENGINE.',
    // A provider's outage does not make the process unready: every other process is affected as well, and keyword search
    // still works.
    stateIfBroken: isRemote ? 'degraded' : 'failed',
    answers: true,
    look: async () => {
      await embedder.check();
      return good(`It works (${embedder.engine}).`);
    },
  };
}

async function lookAtDatabase({ database, processes }: PartDependencies): Promise<Look> {
  const name = database.engine === 'embedded' ? 'The embedded database' : 'PostgreSQL';
  if (!(await processes.canWrite())) return broken(`${name} does not accept writes.`);
  const { reason } = database.faults;
  if (reason !== null) return broken(`${name} refused a write a moment ago: ${reason}.`);
  return good(`${name} accepts writes, and its tables can grow.`);
}

async function lookAtSchema({ database }: PartDependencies): Promise<Look> {
  const [version, { count, missing }] = await Promise.all([
    findSchemaState(database.kysely),
    readCatalogue(database.kysely),
  ]);
  const lacking = describeMissing(missing);
  if (missing.tables.length + missing.keys.length + missing.functions.length > 0) return broken(lacking);
  if (lacking !== '') return degraded(lacking);
  if (version === 'older')
    return degraded('The database has the tables of an older version. Restart all processes.');
  if (version === 'newer') {
    return degraded('The database has the tables of a newer version. Start that version, or a newer one.');
  }
  return good(`All ${count} objects of this version are there.`);
}

const MAX_NAMES = 5;

/** Empty if nothing is missing. */
function describeMissing(missing: MissingObjects): string {
  const words = {
    tables: 'table',
    keys: 'primary key of',
    indexes: 'index',
    functions: 'function',
    triggers: 'trigger',
  };
  const names = Object.entries(words).flatMap(([kind, word]) =>
    Object.entries(missing).flatMap(([each, list]: [string, readonly string[]]) =>
      each === kind ? list.map((name) => `${word} ${name}`) : [],
    ),
  );
  if (names.length === 0) return '';
  const others = names.length - MAX_NAMES;
  const rest = others > 0 ? ` and ${others} more` : '';
  return `Missing in the database: ${names.slice(0, MAX_NAMES).join(', ')}${rest}.`;
}

async function lookAtIndex({ database, settings, clock }: PartDependencies, isFresh: boolean): Promise<Look> {
  const stored = isFresh ? null : readIndexCounts(await settings.get(INDEX_COUNTS_SETTING));
  const counts = isFresh ? { at: clock.now(), ...(await countIndex(database.kysely)) } : stored;
  if (counts === null) return unknown('It was not counted yet.');
  const wrong = [
    ...counts.withoutWords.map((id) => `words in ${id}`),
    ...counts.withoutVectors.map((id) => `vectors in ${id}`),
  ];
  if (wrong.length > 0) {
    const rest = wrong.length > MAX_NAMES ? ` and ${wrong.length - MAX_NAMES} more` : '';
    return broken(`Passages lack ${wrong.slice(0, MAX_NAMES).join(', ')}${rest}.`);
  }
  const day = counts.at.toISOString().slice(0, 16).replace('T', ' ');
  if (clock.now().getTime() - counts.at.getTime() > INDEX_COUNTS_OLD_MS) {
    return unknown(`It was last counted at ${day} UTC.`);
  }
  return good(`${counts.passages} passages, counted at ${day} UTC.`);
}

function lookAtModels({ modelOutcomes: { paused, called } }: PartDependencies): Look {
  if (paused.length > 0) {
    return broken(`Paused: ${paused.map(({ model, kind }) => `${model} (${kind})`).join(', ')}.`);
  }
  return good(
    called.length === 0 ? 'This process has called none yet.' : `${called.join(', ')} answered last.`,
  );
}

function lookAtClocks(live: readonly LiveProcess[]): Look {
  const known = live.flatMap(({ id, facts: { host = id, clockAheadMs } }) =>
    clockAheadMs === undefined ? [] : [{ host, ms: clockAheadMs }],
  );
  const [worst] = known.toSorted((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  if (worst === undefined) return unknown('No process has compared its clock yet.');
  const seconds = (Math.abs(worst.ms) / 1_000).toFixed(1);
  if (Math.abs(worst.ms) <= MAX_CLOCK_MS) return good(`The farthest is ${seconds} s away.`);
  return broken(
    `The clock of ${worst.host} is ${seconds} s ${worst.ms > 0 ? 'ahead of' : 'behind'} the database's.`,
  );
}

async function measureDisk({ config, processes }: PartDependencies): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(config.DATA_DIR);
  processes.note({ diskFreeBytes: bavail * bsize, diskBytes: blocks * bsize });
}

function lookAtDisks(live: readonly LiveProcess[]): Look {
  const known = live.flatMap(({ id, facts: { host = id, diskFreeBytes, diskBytes = 0 } }) =>
    diskFreeBytes === undefined ? [] : [{ host, free: diskFreeBytes, all: diskBytes }],
  );
  const [worst] = known.toSorted((one, other) => one.free - other.free);
  if (worst === undefined) return unknown('No process has measured its disk yet.');
  const text = `${gigabytes(worst.free)} of ${gigabytes(worst.all)} free on ${worst.host}.`;
  return worst.free < MIN_FREE_BYTES ? broken(text) : good(text);
}

async function lookAtBackup({ database, settings, config, clock }: PartDependencies): Promise<Look> {
  const places = { engine: database.engine, kysely: database.kysely, settings, folder: config.DATA_DIR };
  const takenAt = await findLastBackup(places);
  if (takenAt === null) {
    return unknown('None was taken with `parley backup` yet. Those by other tools are not known here.');
  }
  const seconds = Math.max(0, (clock.now().getTime() - takenAt.getTime()) / 1_000);
  const text = `The last backup is ${describeSeconds(seconds)} old.`;
  return seconds > MAX_BACKUP_AGE_HOURS * 3_600 ? broken(text) : good(text);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}

/** Such as `45 s`, `12 min` or `3 h`. */
function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Shares one read among several parts. A failed read is not kept. */
function holdFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | null = null;
  return () => {
    const now = performance.now();
    if (last !== null && now - last.at < ms) return last.value;
    const value = read();
    last = { at: now, value };
    value.catch(() => {
      last = null;
    });
    return value;
  };
}
