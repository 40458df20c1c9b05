import { randomUUID } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import { tellUnreadable } from '../channels/accounts/channel-account.ts';
import { type JobQueue, openQueue } from '../queue/queue.ts';
import { type Installation, isWeakToken, openInstallation } from '../secrets/installation.ts';
import type { Database } from '../storage/database.ts';
import { ProcessRegistry } from '../storage/process-registry.ts';
import { Settings } from '../storage/settings.ts';
import { Secrets } from '../workspaces/secrets.ts';
import type { Opening } from './opening.ts';

/** The database and what belongs to the whole installation: its secrets, its queue and its processes. */
export interface StorageServices {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly settings: Settings;
  readonly installation: Installation;
  readonly secrets: Secrets;
  readonly processes: ProcessRegistry;
}

export async function openStorage(opening: Opening, database: Database): Promise<StorageServices> {
  const { config, log, clock, processId, onClose } = opening;
  const stores = { database: database.kysely, clock };
  const alone = isAlone(database);
  const settings = new Settings(database.kysely);
  const installation = await openInstallation(config, settings);
  if (isWeakToken(installation.adminToken)) {
    log.warn({ advice: 'Set ADMIN_TOKEN to at least 32 random characters.' }, 'admin token is weak');
  }
  const databaseId = await findDatabaseId(settings);
  const redis = config.REDIS_URL === undefined ? undefined : { url: config.REDIS_URL, databaseId };
  const queue = await openQueue({ pool: database.queuePool, redis, alone }, log);
  onClose(() => queue.close());
  const processes = new ProcessRegistry({ ...stores, log, alone, id: processId });
  processes.note({ version: manifest.version });
  await processes.open();
  onClose(() => processes.close());
  const secrets = new Secrets({ ...stores, ...installation, settings, log, alone });
  return { database, queue, settings, installation, secrets, processes };
}

/** The embedded database has one process. */
export function isAlone({ engine }: Database): boolean {
  return engine === 'embedded';
}

/** Returns the id of the database, which its first process makes. */
export function findDatabaseId(settings: Settings): Promise<string> {
  return settings.getOrSet('database_id', randomUUID());
}

/** Returns what a service needs whose rows hold sealed secrets. */
export function sealedStores(
  { config, log, clock, isNews }: Opening,
  { database, installation }: StorageServices,
) {
  return {
    ...{ database: database.kysely, clock, secretBox: installation.secretBox },
    publicUrl: config.PUBLIC_URL,
    tellUnreadable: tellUnreadable(log, isNews),
  };
}
