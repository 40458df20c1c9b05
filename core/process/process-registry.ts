import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { newId } from '../ids.ts';
import type { Logger } from '../log.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** What a process does for the installation. */
type ProcessRole = 'server' | 'workers';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  /** Whether no other process can be at this database. */
  readonly alone: boolean;
}

/** Three of them may be missed before a process counts as dead. */
const heartbeatMs = 5_000;

/** This process among those that serve the same database: seen every five seconds, so that the others know it lives. */
export class ProcessRegistry {
  readonly id = `${hostname().replace(/\W/g, '-')}-${process.pid}-${newId('evt').slice(-8)}`;
  readonly #dependencies: Dependencies;
  readonly #roles = new Set<ProcessRole>();
  #beat: NodeJS.Timeout | undefined;
  /** Whether the last heartbeat was not stored. */
  #isMissing = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  async open(): Promise<void> {
    const { database, alone, log } = this.#dependencies;
    if (alone) await database.deleteFrom('process').execute();
    await this.#seen();
    this.#beat = setInterval(() => {
      this.#seen().catch((err: unknown) =>
        log.warn({ err }, 'the other processes cannot be told of this one'),
      );
    }, heartbeatMs);
    this.#beat.unref();
  }

  /** Tells the others what this process does. */
  async addRole(role: ProcessRole): Promise<void> {
    this.#roles.add(role);
    await this.#seen();
  }

  /** Whether any live process does that. */
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
   * Whether the database takes what this process writes: it is not read-only, and the last heartbeat was stored. Rejects
   * where it cannot be asked, or where a heartbeat that failed fails again.
   */
  async canWrite(): Promise<boolean> {
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly"
    `.execute(this.#dependencies.database);
    if (rows[0]?.isReadOnly !== false) return false;
    if (this.#isMissing) await this.#seen();
    return true;
  }

  /** Whether it was seen in the last seconds. */
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
    clearInterval(this.#beat);
    const { database, log } = this.#dependencies;
    try {
      await database.deleteFrom('key_in_flight').where('process_id', '=', this.id).execute();
      await database.deleteFrom('process').where('id', '=', this.id).execute();
    } catch (err) {
      log.warn({ err }, 'the other processes cannot be told that this one ends: they will notice');
    }
  }

  /** By the database's own clock: the machines of several processes need not agree on the time. */
  async #seen(): Promise<void> {
    const roles = [...this.#roles];
    try {
      await this.#dependencies.database
        .insertInto('process')
        .values({ id: this.id, roles, started_at: sql<Date>`now()`, seen_at: sql<Date>`now()` })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ roles, seen_at: sql<Date>`now()` }))
        .execute();
      this.#isMissing = false;
    } catch (error) {
      this.#isMissing = true;
      throw error;
    }
  }
}
