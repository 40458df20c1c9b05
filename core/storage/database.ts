import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { type DataFolderLock, lockDataFolder } from './embedded/data-folder-lock.ts';
import { type DatabaseThread, startDatabaseThread } from './embedded/database-thread.ts';
import { EmbeddedPool } from './embedded/embedded-pool.ts';
import { restrictFolder } from './embedded/private-folder.ts';
import { migrate } from './migrate.ts';
import { openPostgresPool, sessionSettings } from './postgres-pool.ts';
import { PreparingPool } from './prepared-statements.ts';
import type { Tables } from './tables/tables.ts';

export type DatabasePool = pg.Pool | EmbeddedPool;

export interface Database {
  readonly engine: 'embedded' | 'postgres';
  readonly pool: DatabasePool;
  /** For the queue: what the machine's end takes of its jobs is found by the sweep, so none of them waits for the disk. */
  readonly queuePool: DatabasePool;
  /** The same pool as the first, typed by our tables. */
  readonly kysely: Kysely<Tables>;
  /** The same, and never behind what else there is to do: for what somebody out there waits for, in few statements. */
  readonly urgent: Kysely<Tables>;
  /** Tells other processes that want the data folder where this one's server listens; embedded only. */
  announce(address: string): void;
  /** Resolves with the reason when the database is gone for good without having been closed. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

const urgentConnections = 4;
const queueConnections = 14;

type Settings = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'DATABASE_CONNECTIONS'>>;

/** Opens the database that the configuration names and brings its tables up to date. Throws StartErrors. */
export async function openDatabase(config: Settings, log: Logger): Promise<Database> {
  const database = config.DATABASE_URL
    ? await openPostgres({ url: config.DATABASE_URL, max: config.DATABASE_CONNECTIONS }, log)
    : await openEmbedded(config.DATA_DIR, lockDataFolder(config.DATA_DIR, process.pid), log);
  try {
    restrictFolder(config.DATA_DIR, log);
    await migrate(database.kysely);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openPostgres(
  { url, max }: { readonly url: string; readonly max: number | undefined },
  log: Logger,
): Promise<Database> {
  const pool = await openPostgresPool(url, log, { max, checkSessions: true });
  const urgent = await openPostgresPool(url, log, { max: urgentConnections });
  const settings = 'set synchronous_commit to off';
  const queuePool = await openPostgresPool(url, log, { max: queueConnections, settings });
  return {
    engine: 'postgres',
    pool,
    queuePool,
    kysely: kyselyOn(pool),
    urgent: kyselyOn(urgent),
    announce() {},
    died: new Promise(() => {}),
    close: async () => void (await Promise.all([pool, urgent, queuePool].map((one) => one.end()))),
  };
}

async function openEmbedded(folder: string, lock: DataFolderLock, log: Logger): Promise<Database> {
  try {
    const thread = await startDatabaseThread(folder);
    if (!thread.durable)
      log.warn('the embedded database cannot flush to the disk: a power cut may lose answers');
    return await openDatabaseOnThread(thread, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The database of a running thread, on the folder that the lock holds; its tables are taken as they are. */
export async function openDatabaseOnThread(thread: DatabaseThread, lock: DataFolderLock): Promise<Database> {
  const pool = new EmbeddedPool(thread);
  await pool.query(sessionSettings);
  return {
    engine: 'embedded',
    pool,
    queuePool: pool,
    kysely: kyselyOn(pool),
    urgent: kyselyOn(pool.ahead()),
    announce: (address) => lock.announce(address),
    died: thread.died,
    async close() {
      await thread.close();
      lock.release();
    },
  };
}

function kyselyOn(pool: DatabasePool): Kysely<Tables> {
  const preparing = new PreparingPool(pool);
  if (!isKyselyPool(preparing)) throw new TypeError('not a pool');
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing }) });
}

/** Kysely's own type also names cursors, which we never use. */
function isKyselyPool(pool: object): pool is PostgresPool {
  return 'connect' in pool && 'end' in pool;
}
