import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { TaskContext } from './maintenance-task.ts';
import type { Tables } from './tables/tables.ts';

/** The role of a process in the installation. */
type ProcessRole = 'server' | 'workers';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  /** True if no other process can use this database. */
  readonly alone: boolean;
}

/** Three heartbeats may be missed before a process counts as dead. */
const HEARTBEAT_MS = 5_000;

/**
 * Registers this process among those that use the same database. A heartbeat every five seconds shows the
 * others that it is alive.
 */
export class ProcessRegistry {
  readonly id = `${hostname().replace(/\W/g, '-')}-${process.pid}-${newId('evt').slice(-8)}`;
  readonly #dependencies: Dependencies;
  readonly #roles = new Set<ProcessRole>();
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** True if the last heartbeat was not stored. */
  #hasFailed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  async open(): Promise<void> {
    const { database, alone, log } = this.#dependencies;
    if (alone) await database.deleteFrom('process').execute();
    await this.#sendHeartbeat();
    this.#heartbeatTimer = setInterval(() => {
      this.#sendHeartbeat().catch((err: unknown) => log.warn({ err }, 'heartbeat failed'));
    }, HEARTBEAT_MS);
    this.#heartbeatTimer.unref();
  }

  /** Announces a role of this process to the others. */
  async addRole(role: ProcessRole): Promise<void> {
    this.#roles.add(role);
    await this.#sendHeartbeat();
  }

  /** Returns true if any live process has the role. */
  async hasLiveProcess(role: ProcessRole): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('process')
      .select('id')
      .where(sql<boolean>`${role} = any(roles)`)
      .where(sql<boolean>`process_lives(id)`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Returns true if the database accepts writes of this process: it is not read-only, and the last heartbeat
   * was stored. Rejects if the database is unreachable, or if a repeated heartbeat fails again.
   */
  async canWrite(): Promise<boolean> {
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly"
    `.execute(this.#dependencies.database);
    if (rows[0]?.isReadOnly !== false) return false;
    if (this.#hasFailed) await this.#sendHeartbeat();
    return true;
  }

  /** Returns true if the process had a heartbeat recently. */
  async isAlive(id: string): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('process')
      .select('id')
      .where('id', '=', id)
      .where(sql<boolean>`process_lives(id)`)
      .executeTakeFirst();
    return row !== undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    const { database, log } = this.#dependencies;
    try {
      await database.deleteFrom('key_in_flight').where('process_id', '=', this.id).execute();
      await database.deleteFrom('process').where('id', '=', this.id).execute();
    } catch (err) {
      log.warn({ err }, 'unregistering the process failed');
    }
  }

  /** Uses the database's clock, because the clocks of several machines may differ. */
  async #sendHeartbeat(): Promise<void> {
    const roles = [...this.#roles];
    try {
      await this.#dependencies.database
        .insertInto('process')
        .values({ id: this.id, roles, started_at: sql<Date>`now()`, seen_at: sql<Date>`now()` })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ roles, seen_at: sql<Date>`now()` }))
        .execute();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }
}

/** Deletes processes that are gone. Their heartbeats use the database's clock. */
export async function purgeProcesses({ transaction }: TaskContext): Promise<number> {
  await sql`delete from process where seen_at < now() - interval '1 minute'`.execute(transaction);
  return 0;
}
