import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { type DataFolderLock, lockDataFolder } from './embedded/data-folder-lock.ts';
import { type DatabaseThread, startDatabaseThread } from './embedded/database-thread.ts';
import { EmbeddedPool } from './embedded/embedded-pool.ts';
import { restrictFolder } from './embedded/private-folder.ts';
import { StatementFaults } from './faults/statement-faults.ts';
import { migrate } from './migrate.ts';
import { openPostgresPool, sessionSettings } from './postgres-pool.ts';
import { PreparingPool } from './prepared-statements.ts';
import type { Tables } from './tables/tables.ts';

export type DatabasePool = pg.Pool | EmbeddedPool;

export interface Database {
  readonly engine: 'embedded' | 'postgres';
  readonly pool: DatabasePool;
  /**
   * Pool for the queue. It commits without waiting for the disk: the sweep finds jobs lost in a machine
   * failure.
   */
  readonly queuePool: DatabasePool;
  /** The main pool, with typed tables. */
  readonly kysely: Kysely<Tables>;
  /** A handle like `kysely` that never queues behind other work, for short statements that a client waits for. */
  readonly urgent: Kysely<Tables>;
  /** Remembers the statements of this process that the disk of the database refused lately. */
  readonly faults: StatementFaults;
  /** Copies the files of the embedded database into a new folder while it runs. Null on PostgreSQL. */
  readonly copyFiles: ((folder: string) => Promise<void>) | null;
  /** Publishes the server's address for other processes that want the data folder. Embedded database only. */
  announce(address: string): void;
  /** Resolves with the reason if the database is lost without having been closed. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

const urgentConnections = 4;
const queueConnections = 14;

type Settings = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'DATABASE_CONNECTIONS'>>;

/** Opens the configured database and migrates its schema. Throws StartErrors. */
export async function openDatabase(
  config: Settings,
  log: Logger,
  { onPending }: { readonly onPending?: () => void } = {},
): Promise<Database> {
  const database = config.DATABASE_URL
    ? await openPostgres({ url: config.DATABASE_URL, max: config.DATABASE_CONNECTIONS }, log)
    : await openEmbedded(config.DATA_DIR, lockDataFolder(config.DATA_DIR, process.pid), log);
  try {
    restrictFolder(config.DATA_DIR, log);
    await migrate(database.kysely, { log, onPending });
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
  const faults = new StatementFaults();
  return {
    engine: 'postgres',
    pool,
    queuePool,
    kysely: createKysely(pool, faults),
    urgent: createKysely(urgent, faults),
    faults,
    copyFiles: null,
    announce() {},
    died: new Promise(() => {}),
    close: async () => void (await Promise.all([pool, urgent, queuePool].map((one) => one.end()))),
  };
}

async function openEmbedded(folder: string, lock: DataFolderLock, log: Logger): Promise<Database> {
  try {
    const thread = await startDatabaseThread(folder);
    if (!thread.durable) log.warn('commits are not flushed to disk');
    return await openDatabaseOnThread(thread, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the database of a running thread on the locked data folder. Does not migrate it. */
export async function openDatabaseOnThread(thread: DatabaseThread, lock: DataFolderLock): Promise<Database> {
  const pool = new EmbeddedPool(thread);
  await pool.query(sessionSettings);
  const faults = new StatementFaults();
  return {
    engine: 'embedded',
    pool,
    queuePool: pool,
    kysely: createKysely(pool, faults),
    urgent: createKysely(pool.ahead(), faults),
    faults,
    async copyFiles(folder) {
      // Less is then left to recover when the copy is opened.
      await pool.query('checkpoint');
      await thread.copyTo(folder);
    },
    announce: (address) => lock.announce(address),
    died: thread.died,
    async close() {
      await thread.close();
      lock.release();
    },
  };
}

/** Opens a PostgreSQL database as it is: without migrating it, and with few connections. Throws StartErrors. */
export async function openUnmigrated(
  url: string,
  log: Logger,
): Promise<{ readonly pool: pg.Pool; readonly kysely: Kysely<Tables> }> {
  const pool = await openPostgresPool(url, log, { max: 2 });
  return { pool, kysely: createKysely(pool, new StatementFaults()) };
}

function createKysely(pool: DatabasePool, faults: StatementFaults): Kysely<Tables> {
  const preparing = new PreparingPool(pool, faults);
  if (!isKyselyPool(preparing)) throw new TypeError('expected a pool');
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing }) });
}

/** Kysely's own pool type also includes cursors, which are not used. */
function isKyselyPool(pool: object): pool is PostgresPool {
  return 'connect' in pool && 'end' in pool;
}
