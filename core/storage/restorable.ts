import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Actor } from '../contract/actor.ts';
import { batchRows, type TaskContext } from './maintenance-task.ts';
import type { Tables } from './tables/tables.ts';

/** The actor of a deletion, and for how long it can be taken back; not at all by default. */
export interface Deletion {
  readonly actor?: Actor;
  readonly restorableMs?: number;
}

/**
 * How a row of a table is hidden until its deletion is final. Everything that acts on its own, such as the trigger that
 * stores webhook events, meets a row that is switched off and whose name is free.
 */
const tables = {
  webhook: {
    kept: sql`jsonb_build_object('disabled_at', disabled_at, 'disabled_reason', disabled_reason)`,
    hidden: sql`disabled_at = coalesce(disabled_at, now())`,
    restored: sql`disabled_at = (undo ->> 'disabled_at')::timestamptz, disabled_reason = undo ->> 'disabled_reason'`,
    name: sql`url`,
  },
  http_skill: {
    kept: sql`jsonb_build_object('name', name, 'enabled', enabled)`,
    hidden: sql`name = 'deleted ' || id, enabled = false`,
    restored: sql`name = undo ->> 'name', enabled = (undo ->> 'enabled')::boolean`,
    name: sql`coalesce(undo ->> 'name', name)`,
  },
  snippet: {
    kept: sql`jsonb_build_object('name', name)`,
    hidden: sql`name = 'deleted ' || id`,
    restored: sql`name = undo ->> 'name'`,
    name: sql`coalesce(undo ->> 'name', name)`,
  },
} as const satisfies Record<string, Record<'kept' | 'hidden' | 'restored' | 'name', RawBuilder<unknown>>>;

export const restorableTables = ['webhook', 'http_skill', 'snippet'] as const;

interface Target {
  readonly table: keyof typeof tables;
  readonly workspaceId: string;
  readonly id: string;
  readonly at: Date;
}

/** Deletes a row, or hides it until `restorableMs` have passed. Returns its name, or null if there is no such row. */
export async function deleteRow(
  transaction: Transaction<Tables>,
  { table, workspaceId, id, at }: Target,
  restorableMs: number,
): Promise<string | null> {
  const { kept, hidden, name } = tables[table];
  const until = new Date(at.getTime() + restorableMs);
  const row = sql`where workspace_id = ${workspaceId} and id = ${id} and restorable_until is null`;
  const { rows } =
    restorableMs > 0
      ? await sql<{ name: string }>`
          update ${sql.table(table)} set undo = ${kept}, restorable_until = ${until}, ${hidden} ${row}
          returning ${name} as name
        `.execute(transaction)
      : await sql<{ name: string }>`
          delete from ${sql.table(table)} ${row} returning ${name} as name
        `.execute(transaction);
  return rows[0]?.name ?? null;
}

/**
 * Takes back a deletion. Returns false if there is none or its time has passed. It fails with the constraint if
 * another row took the name meanwhile.
 */
export async function restoreRow(
  transaction: Transaction<Tables>,
  { table, workspaceId, id, at }: Target,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${tables[table].restored}, undo = null, restorable_until = null
    where workspace_id = ${workspaceId} and id = ${id} and restorable_until > ${at}
  `.execute(transaction);
  return numAffectedRows > 0n;
}

/** Deletes what was deleted and can no longer be restored. */
export async function purgeDeleted({ transaction, now }: TaskContext): Promise<number> {
  let maxRows = 0;
  for (const table of [...restorableTables, 'removed_tag'] as const) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where restorable_until <= ${now} limit ${batchRows} for update skip locked
      ))
    `.execute(transaction);
    maxRows = Math.max(maxRows, Number(numAffectedRows));
  }
  return maxRows;
}
