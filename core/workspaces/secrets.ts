import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError, StartError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { EncryptionKeyFile } from '../secrets/encryption-key-file.ts';
import {
  isInstallationKey,
  markEncryptionKey,
  type SealedTable,
  type SecretBox,
  sealedColumns,
} from '../secrets/secret-box.ts';
import type { Settings } from '../storage/settings.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly secretBox: SecretBox;
  /** Null if the key is set in the environment. */
  readonly keyFile: EncryptionKeyFile | null;
  /** True if no other process can use this database. */
  readonly alone: boolean;
}

/** The rows of one table with sealed values. */
interface SealedRows {
  readonly table: string;
  readonly rows: number;
  /** Rows with a value that is not sealed with the current key in the current format. */
  readonly outdated: number;
}

export interface SecretsStatus {
  readonly keyId: string;
  /** Keys configured in addition to the current one. */
  readonly previousKeyIds: readonly string[];
  readonly tables: readonly SealedRows[];
  /** Ids of the keys in outdated values. */
  readonly outdatedKeyIds: readonly string[];
}

export interface ResealReport extends SecretsStatus {
  /** Number of resealed rows by table. */
  readonly resealed: Readonly<Record<string, number>>;
  /** Number of rows with a value that no configured key opens, by table. */
  readonly unreadable: Readonly<Record<string, number>>;
}

type SealedRow = { readonly [Column in SealedTable['columns'][number]]?: string | null } & {
  readonly id: string;
};

/** Small, so that other transactions do not wait long for a locked row. */
const batchRows = 200;
/** Interval between runs: other processes may still seal values with the previous key. */
const RESEAL_INTERVAL_MS = 3_600_000;

/** Manages the sealed values of the whole installation and their key. */
export class Secrets {
  readonly #dependencies: Dependencies;
  #lastRunAt: number | undefined;

  /** Id of the current key when this process started. */
  readonly #firstKeyId: string;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#firstKeyId = dependencies.secretBox.keyId;
  }

  async status(): Promise<SecretsStatus> {
    const { secretBox } = this.#dependencies;
    const { keyId, previousKeyIds } = secretBox;
    const counted = [];
    for (const table of sealedColumns) counted.push(await this.#count(table));
    return {
      keyId,
      previousKeyIds,
      tables: counted.map(({ keyIds, ...rows }) => rows),
      outdatedKeyIds: [...new Set(counted.flatMap(({ keyIds }) => keyIds))].sort(),
    };
  }

  /**
   * Seals every outdated value with the current key, in short transactions. It can be interrupted and repeated at any
   * time, also by several processes at once. It stops early if `signal` is aborted.
   */
  async reseal(signal?: AbortSignal): Promise<ResealReport> {
    const { settings, secretBox, keyFile, alone } = this.#dependencies;
    await markEncryptionKey(settings, secretBox);
    const resealed: Record<string, number> = {};
    const unreadable: Record<string, number> = {};
    for (const table of sealedColumns) {
      const result = await this.#resealTable(table, signal);
      resealed[table.table] = result.resealed;
      unreadable[table.table] = result.unreadable;
    }
    const status = await this.status();
    // A request in flight can still store a value sealed with a previous key. The file of previous keys is only
    // removed if neither another process nor this one, since its start, used one of them as the current key.
    const sealedUnderOneKey = alone && secretBox.keyId === this.#firstKeyId;
    if (status.outdatedKeyIds.length === 0 && keyFile !== null && sealedUnderOneKey) keyFile.dropPrevious();
    return { ...status, previousKeyIds: secretBox.previousKeyIds, resealed, unreadable };
  }

  /**
   * Reseals at the start of the process and every hour, unless another key has become the current one.
   */
  async resealInBackground(signal: AbortSignal): Promise<void> {
    const { settings, clock, log, secretBox } = this.#dependencies;
    const now = clock.now().getTime();
    if (this.#lastRunAt !== undefined && now < this.#lastRunAt + RESEAL_INTERVAL_MS) return;
    if (!(await isInstallationKey(settings, secretBox))) return;
    const { keyId, resealed, unreadable } = await this.reseal(signal);
    if (signal.aborted) return;
    this.#lastRunAt = now;
    if (sum(resealed) > 0) log.info({ key: keyId, resealed }, 'secrets resealed');
    if (sum(unreadable) > 0)
      log.warn({ key: keyId, unreadable }, 'secrets unreadable with the configured keys');
  }

  /**
   * Creates a new key in the data folder and reseals all values with it. Throws `encryption_key_configured` if
   * the key is set in the environment, and `encryption_key_shared` if other processes may use the previous one.
   */
  async replaceKey(): Promise<ResealReport> {
    const { secretBox, keyFile, alone } = this.#dependencies;
    if (keyFile === null) throw new AppError('encryption_key_configured');
    if (!alone) throw new AppError('encryption_key_shared');
    secretBox.changeKey(keyFile.replace());
    return this.reseal();
  }

  async #count({
    table,
    columns,
  }: SealedTable): Promise<SealedRows & { readonly keyIds: readonly string[] }> {
    const { database, secretBox } = this.#dependencies;
    const values = sql.join(columns.map((column) => sql`(${sql.ref(column)})`));
    const { rows } = await sql<{ key_id: string | null; rows: number; outdated: number }>`
      select case when grouping(key_id) = 0 then key_id end as key_id,
             count(distinct id)::int as rows,
             (count(distinct id) filter (where not is_current))::int as outdated
      from (
        select id, starts_with(value, ${secretBox.currentPrefix}) as is_current,
               split_part(value, '.', 2) as key_id
        from ${sql.table(table)} cross join lateral (values ${values}) as sealed (value)
        where value <> ''
      ) as found
      group by grouping sets ((), (key_id))
    `.execute(database);
    const all = rows.find(({ key_id }) => key_id === null);
    const keyIds = rows.flatMap(({ key_id, outdated }) => (key_id !== null && outdated > 0 ? [key_id] : []));
    return { table, rows: all?.rows ?? 0, outdated: all?.outdated ?? 0, keyIds };
  }

  async #resealTable(
    table: SealedTable,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly resealed: number; readonly unreadable: number }> {
    let resealed = 0;
    let unreadable = 0;
    let after: string | undefined = '';
    while (after !== undefined && signal?.aborted !== true) {
      const from: string = after;
      const batch = await this.#dependencies.database
        .transaction()
        .execute((transaction) => this.#resealBatch(transaction, table, from));
      resealed += batch.resealed;
      unreadable += batch.unreadable;
      after = batch.last;
    }
    return { resealed, unreadable };
  }

  async #resealBatch(transaction: Transaction<Tables>, sealedTable: SealedTable, after: string) {
    const { table, columns } = sealedTable;
    const { secretBox } = this.#dependencies;
    const isOutdated = columns.map(
      (column) =>
        sql`(${sql.ref(column)} <> '' and not starts_with(${sql.ref(column)}, ${secretBox.currentPrefix}))`,
    );
    const { rows } = await sql<SealedRow>`
      select id, ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)}
      where id > ${after} and (${sql.join(isOutdated, sql` or `)})
      order by id
      limit ${batchRows}
      for no key update skip locked
    `.execute(transaction);
    const resealedRows = rows.flatMap((row) => this.#resealRow(sealedTable, row) ?? []);
    if (resealedRows.length > 0) {
      const changes = columns.map((column) => sql`${sql.ref(column)} = sealed.${sql.ref(column)}`);
      const types = columns.map((column) => sql`${sql.ref(column)} text`);
      await sql`
        update ${sql.table(table)} as held set ${sql.join(changes)}
        from json_to_recordset(${JSON.stringify(resealedRows)}::json) as sealed (id text, ${sql.join(types)})
        where held.id = sealed.id
      `.execute(transaction);
    }
    return {
      resealed: resealedRows.length,
      unreadable: rows.length - resealedRows.length,
      last: rows.length < batchRows ? undefined : rows.at(-1)?.id,
    };
  }

  /** Null if one of the values cannot be opened. */
  #resealRow({ table, columns }: SealedTable, row: SealedRow): SealedRow | null {
    const { secretBox } = this.#dependencies;
    const { id } = row;
    try {
      const values = columns.map((column) => {
        const sealed = row[column];
        const place = { table, column, id };
        return [column, sealed ? secretBox.seal(secretBox.open(sealed, place), place) : sealed];
      });
      return { ...Object.fromEntries(values), id };
    } catch (error) {
      if (error instanceof StartError) return null;
      throw error;
    }
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
