import { type Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Tables } from '../tables/tables.ts';
import { createOrAdopt, hasUnknown, readApplied, recordName } from './baseline.ts';
import { hashText, type Migration, type MigrationStep, type Schema, statementsIn } from './schema-files.ts';
import { limitLockWait, lockTables, retryLocked } from './table-locks.ts';

export interface MigratorOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Runs after each step that was committed. A test ends the process there. */
  readonly onStep?: (name: string) => void;
}

/** Applies what a database lacks. Its session holds the lock. */
export class Migrator {
  readonly #session: Kysely<Tables>;
  readonly #schema: Schema;
  readonly #options: MigratorOptions;
  #applied: Map<string, string | null> = new Map();

  constructor(session: Kysely<Tables>, schema: Schema, options: MigratorOptions) {
    this.#session = session;
    this.#schema = schema;
    this.#options = options;
  }

  async run(): Promise<void> {
    await this.#transaction('baseline', (transaction) => createOrAdopt(transaction, this.#schema));
    this.#applied = new Map(await readApplied(this.#session));
    if (hasUnknown(this.#schema, this.#applied)) {
      throw new StartError(
        'The database was written by a newer version of Parley: start that version, or a newer one.',
      );
    }
    for (const [migration, step] of this.#pending('transaction', 'online')) {
      if (step.kind === 'transaction') await this.#runTransaction(migration, step);
      else await this.#runOnline(migration, step);
    }
    await this.#replaceFunctions();
    await this.#replaceTriggers();
    for (const [migration, step] of this.#pending('batches')) {
      await this.#runBatches(migration, step);
    }
  }

  #pending(...kinds: readonly MigrationStep['kind'][]): readonly (readonly [Migration, MigrationStep])[] {
    return this.#schema.migrations
      .filter(({ name }) => !this.#applied.has(name))
      .flatMap((migration) => migration.steps.map((step) => [migration, step] as const))
      .filter(([, { name, kind }]) => kinds.includes(kind) && !this.#applied.has(name));
  }

  async #runTransaction(migration: Migration, step: MigrationStep): Promise<void> {
    await this.#transaction(step.name, async (transaction, lockWaitMs) => {
      await lockTables(transaction, step.text, lockWaitMs);
      await sql.raw(step.text).execute(transaction);
      // A migration may have dropped a function with a type or a table that it names.
      await sql`delete from migration where name = 'functions'`.execute(transaction);
      await this.#record(transaction, migration, step);
    });
    this.#applied.delete('functions');
    this.#stepDone(migration, step);
  }

  /** Each statement alone. An interrupted creation of an index leaves one that is not valid, which is dropped first. */
  async #runOnline(migration: Migration, step: MigrationStep): Promise<void> {
    for (const statement of statementsIn(step.text)) {
      await retryLocked({ log: this.#options.log, step: step.name }, async () => {
        const index = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement)?.[1];
        if (index !== undefined) await dropInvalidIndex(this.#session, index);
        await sql.raw(statement).execute(this.#session);
      });
    }
    await this.#recordStep(migration, step);
  }

  /** Repeats the statement with the key that it returned last, until it returns null. */
  async #runBatches(migration: Migration, step: MigrationStep): Promise<void> {
    const [before = '', after = ''] = statementsIn(step.text).join('\n').split(':after');
    let position: string | null = '';
    while (position !== null) {
      const from: string = position;
      position = await this.#transaction(step.name, async (transaction, lockWaitMs) => {
        await limitLockWait(transaction, lockWaitMs);
        const { rows } = await sql<{ last: string | null }>`
          ${sql.raw(before)}${from}::text${sql.raw(after)}`.execute(transaction);
        return rows[0]?.last ?? null;
      });
    }
    await this.#recordStep(migration, step);
  }

  async #replaceFunctions(): Promise<void> {
    const { functions } = this.#schema;
    const hash = hashText(functions);
    const steps = this.#pending('with functions');
    if (steps.length === 0 && this.#applied.get('functions') === hash) return;
    await this.#transaction('functions', async (transaction, lockWaitMs) => {
      await lockTables(transaction, steps.map(([, { text }]) => text).join('\n'), lockWaitMs);
      for (const [migration, step] of steps) {
        await sql.raw(step.text).execute(transaction);
        await this.#record(transaction, migration, step);
      }
      await replaceFunctions(transaction, functions);
      await recordName(transaction, 'functions', hash);
    });
    for (const [migration, step] of steps) this.#stepDone(migration, step);
    this.#options.onStep?.('functions');
  }

  async #replaceTriggers(): Promise<void> {
    const hash = hashText(this.#schema.triggers);
    if (this.#applied.get('triggers') === hash) return;
    for (const text of triggersByTable(this.#schema.triggers)) {
      await this.#transaction('triggers', async (transaction, lockWaitMs) => {
        await lockTables(transaction, text, lockWaitMs);
        await sql.raw(text).execute(transaction);
      });
    }
    await recordName(this.#session, 'triggers', hash);
    this.#options.onStep?.('triggers');
  }

  async #recordStep(migration: Migration, step: MigrationStep): Promise<void> {
    await this.#transaction(step.name, (transaction) => this.#record(transaction, migration, step));
    this.#stepDone(migration, step);
  }

  /** The last step of a file replaces the names of its steps by the file's, which is all that is left in the end. */
  async #record(transaction: Transaction<Tables>, migration: Migration, step: MigrationStep): Promise<void> {
    if (!this.#isLast(migration, step)) return recordName(transaction, step.name);
    const names = migration.steps.map(({ name }) => name);
    await sql`delete from migration where name = any(${names}::text[])`.execute(transaction);
    await recordName(transaction, migration.name);
  }

  #isLast({ steps }: Migration, step: MigrationStep): boolean {
    return steps.every((other) => other === step || this.#applied.has(other.name));
  }

  #stepDone(migration: Migration, step: MigrationStep): void {
    if (this.#isLast(migration, step)) this.#applied.set(migration.name, null);
    this.#applied.set(step.name, null);
    this.#options.log.info({ step: step.name }, 'migration step done');
    this.#options.onStep?.(step.name);
  }

  /** Runs `work` in a transaction, again if a lock is in its way. Each statement sees what was committed before it. */
  #transaction<Result>(
    step: string,
    work: (transaction: Transaction<Tables>, lockWaitMs: number) => Promise<Result>,
  ): Promise<Result> {
    return retryLocked({ log: this.#options.log, step }, (lockWaitMs) =>
      this.#session
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (transaction) => {
          await limitLockWait(transaction, lockWaitMs);
          return work(transaction, lockWaitMs);
        }),
    );
  }
}

async function dropInvalidIndex(session: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql`
    select from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and relname = ${name} and not indisvalid`.execute(session);
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.table(name)}`.execute(session);
}

/** Creates or replaces all functions. */
async function replaceFunctions(transaction: Transaction<Tables>, functions: string): Promise<void> {
  await dropChangedFunctions(transaction, functions);
  await sql.raw(functions).execute(transaction);
}

/**
 * Drops functions that `create or replace` cannot replace, or would leave beside the new ones, because their arguments or
 * results differ. PostgreSQL itself says what the new ones are: they are created as temporary functions and rolled back.
 */
async function dropChangedFunctions(transaction: Transaction<Tables>, functions: string): Promise<void> {
  await sql
    .raw(`
      savepoint signatures;
      set local search_path to pg_temp, public;
      set local check_function_bodies to off;
      ${functions}`)
    .execute(transaction);
  const { rows } = await sql<{ signature: string }>`
    select format('public.%I(%s)', proname, pg_get_function_identity_arguments(oid)) as signature
    from pg_proc as stored
    where pronamespace = 'public'::regnamespace
      and proname in (select proname from pg_proc where pronamespace = pg_my_temp_schema())
      and not exists (select from pg_depend where objid = stored.oid and deptype = 'e')
      and not exists (
        select from pg_proc as changed
        where pronamespace = pg_my_temp_schema() and proname = stored.proname
          and pg_get_function_arguments(oid) = pg_get_function_arguments(stored.oid)
          and pg_get_function_result(oid) = pg_get_function_result(stored.oid)
      )`.execute(transaction);
  await sql`rollback to savepoint signatures`.execute(transaction);
  for (const { signature } of rows) await sql.raw(`drop function ${signature}`).execute(transaction);
}

/** The statements of `triggers.sql` by their tables, so that each table is locked alone and briefly. */
function triggersByTable(triggers: string): readonly string[] {
  const groups = Map.groupBy(statementsIn(triggers), (statement) => / on (\w+)/.exec(statement)?.[1]);
  return Array.from(groups.values(), (statements) => `${statements.join(';\n')};`);
}
