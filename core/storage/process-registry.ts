import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { StorageProbe } from './faults/storage-probe.ts';
import type { TaskContext } from './maintenance-task.ts';
import type { Tables } from './tables/tables.ts';

/** The role of a process in the installation. */
type ProcessRole = 'server' | 'workers';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  /** True if no other process can use this database. */
  readonly alone: boolean;
  /** A new one if absent. */
  readonly id?: string | undefined;
}

/** Returns an id under which the others, the log and traces know this process. */
export function newProcessId(): string {
  return `${hostname().replace(/\W/g, '-')}-${process.pid}-${newId('evt').slice(-8)}`;
}

/** Three heartbeats may be missed before a process counts as dead. */
const HEARTBEAT_MS = 5_000;
/** A heartbeat that takes longer tells nothing about the clock. */
const MAX_CLOCK_DOUBT_MS = 1_000;

/** The facts that a process tells the others about itself. Fields that it has not measured are absent. */
const factsSchema = z.object({
  version: z.string().optional(),
  host: z.string().optional(),
  /** How far its clock is ahead of the database's. */
  clockAheadMs: z.number().optional(),
  diskFreeBytes: z.number().optional(),
  diskBytes: z.number().optional(),
  /** When it last did a duty that leaves no rows which wait, by kind of worker. */
  did: z.record(z.string(), z.string()).optional(),
});
export type ProcessFacts = z.output<typeof factsSchema>;

/** A process whose heartbeats arrive. */
export interface LiveProcess {
  readonly id: string;
  /** `server` or `workers`, and each kind of its workers. */
  readonly roles: readonly string[];
  readonly startedAt: Date;
  /** By the database's clock. */
  readonly seenSecondsAgo: number;
  readonly facts: ProcessFacts;
}

/**
 * Registers this process among those that use the same database. A heartbeat every five seconds shows the
 * others that it is alive.
 */
export class ProcessRegistry {
  readonly id: string;
  readonly #dependencies: Dependencies;
  readonly #roles = new Set<string>();
  readonly #probe: StorageProbe;
  #facts: ProcessFacts = { host: hostname() };
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** True if the last heartbeat was not stored. */
  #hasFailed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.id = dependencies.id ?? newProcessId();
    this.#probe = new StorageProbe(dependencies.database);
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

  /** Announces a role of this process to the others, with the kinds of workers that it runs. */
  async addRole(role: ProcessRole, kinds: readonly string[] = []): Promise<void> {
    for (const name of [role, ...kinds]) this.#roles.add(name);
    await this.#sendHeartbeat();
  }

  /** Tells the others more about this process, with its next heartbeat. */
  note(facts: ProcessFacts): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Tells the others that a duty was done just now. */
  did(kind: string): void {
    const at = this.#dependencies.clock.now().toISOString();
    this.note({ did: { ...this.#facts.did, [kind]: at } });
  }

  /** Returns the processes whose heartbeats arrive, the oldest first. */
  async listLive(): Promise<readonly LiveProcess[]> {
    const rows = await this.#dependencies.database
      .selectFrom('process')
      .select(['id', 'roles', 'started_at', 'facts'])
      .select(sql<number>`extract(epoch from clock_timestamp() - seen_at)::float`.as('seconds'))
      .where(sql<boolean>`process_lives(id)`)
      .orderBy('started_at')
      .orderBy('id')
      .execute();
    return rows.map(({ id, roles, started_at, facts, seconds }) => ({
      id,
      roles,
      startedAt: started_at,
      seenSecondsAgo: Math.max(0, seconds),
      // A process of another version may tell something else.
      facts: factsSchema.catch({}).parse(facts),
    }));
  }

  /**
   * Returns true if the database accepts writes of this process: it is not read-only, a table can grow, and the last
   * heartbeat was stored. Rejects if the database is unreachable, or if a repeated heartbeat fails again.
   */
  async canWrite(): Promise<boolean> {
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly"
    `.execute(this.#dependencies.database);
    if (rows[0]?.isReadOnly !== false) return false;
    if (this.#hasFailed) await this.#sendHeartbeat();
    await this.#probe.grow();
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
    const { database, clock } = this.#dependencies;
    const roles = [...this.#roles];
    const facts = JSON.stringify(this.#facts);
    const sentAt = clock.now().getTime();
    try {
      const { at } = await database
        .insertInto('process')
        .values({ id: this.id, roles, facts, started_at: sql<Date>`now()`, seen_at: sql<Date>`now()` })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ roles, facts, seen_at: sql<Date>`now()` }),
        )
        .returning(sql<Date>`clock_timestamp()`.as('at'))
        .executeTakeFirstOrThrow();
      this.#hasFailed = false;
      this.#compareClocks(at, { sentAt, receivedAt: clock.now().getTime() });
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** The database read its clock between the two times. */
  #compareClocks(at: Date, { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number }) {
    if (receivedAt - sentAt > MAX_CLOCK_DOUBT_MS) return;
    this.note({ clockAheadMs: Math.round((sentAt + receivedAt) / 2 - at.getTime()) });
  }
}

/** Deletes processes that are gone. Their heartbeats use the database's clock. */
export async function purgeProcesses({ transaction }: TaskContext): Promise<number> {
  await sql`delete from process where seen_at < now() - interval '1 minute'`.execute(transaction);
  return 0;
}
