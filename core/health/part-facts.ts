import { MAX_BACKUP_AGE_HOURS } from '../backup/last-backup.ts';
import type { Part } from './part.ts';

/** The facts of a part that hold on every installation: its alert and its line in a table need no look at it. */
export type PartFacts = Pick<Part, 'name' | 'worker' | 'promise' | 'advice' | 'stateIfBroken'>;

/** Everything that processes need, beside the duties of workers. */
export const installationParts = {
  database: {
    name: 'database',
    worker: null,
    promise: 'It accepts writes, and its tables can grow',
    advice:
      'Check that the database runs, accepts writes, and has free disk space and connections (DATABASE_URL).',
    stateIfBroken: 'failed',
  },
  schema: {
    name: 'schema',
    worker: null,
    promise: 'It has every table, index and function of this version',
    advice:
      'A restore or a change by hand left them out. Restore a complete backup, or restart all processes if the version changed.',
    stateIfBroken: 'failed',
  },
  index: {
    name: 'index',
    worker: null,
    promise: 'Every passage has its words and its vector',
    advice: 'Add the documents of these workspaces again, or restore a complete backup.',
    stateIfBroken: 'degraded',
  },
  queue: {
    name: 'queue',
    worker: null,
    promise: 'It takes jobs',
    advice: 'Check that Redis runs (REDIS_URL). Without Redis the queue is in the database: check that.',
    stateIfBroken: 'degraded',
  },
  embedder: {
    name: 'embedder',
    worker: null,
    promise: 'It makes vectors of questions',
    advice:
      "Check the provider's API key and address (EMBEDDING_MODEL), or install the packages again (npm ci).",
    stateIfBroken: 'failed',
  },
  models: {
    name: 'models',
    worker: null,
    promise: 'No model of a provider is paused',
    advice:
      'Check the API key and the limits of the provider. Other models answer meanwhile, or documents are quoted.',
    stateIfBroken: 'degraded',
  },
  clock: {
    name: 'clock',
    worker: null,
    promise: 'Each process is within two seconds of the database',
    advice: 'Let the machine set its clock by NTP.',
    stateIfBroken: 'degraded',
  },
  disk: {
    name: 'disk',
    worker: null,
    promise: 'At least 1 GB is free in DATA_DIR',
    advice: 'Free some space, or set DATA_DIR to a folder on another disk.',
    stateIfBroken: 'degraded',
  },
  backup: {
    name: 'backup',
    worker: null,
    promise: `The last backup is at most ${MAX_BACKUP_AGE_HOURS} hours old`,
    advice: 'Back up once a day: npm run parley -- backup. Store the encryption key too, elsewhere.',
    stateIfBroken: 'degraded',
  },
} as const satisfies Readonly<Record<string, PartFacts>>;

export function dutyAdvice(kind: string): string {
  return `Start a process with this worker: npm start, or npm run workers -- ${kind}.`;
}
