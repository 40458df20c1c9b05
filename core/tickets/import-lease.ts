import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** Longer than any answer takes. A process that dies lets go of the import after it. */
const LEASE_MS = 120_000;

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

export interface HeldImport {
  readonly id: string;
  readonly workspaceId: string;
  readonly state: 'reading' | 'answering';
  readonly audience: readonly string[];
  readonly model: string | null;
  readonly createdAt: Date;
}

/** Reserves an import that is going. Null if it has ended, or another process has it. */
export async function takeImport(
  database: Kysely<Tables>,
  id: string,
  now: Date,
): Promise<HeldImport | null> {
  const row = await database
    .updateTable('ticket_import')
    .set({ held_until: leaseEnd(now) })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'answering'])
    .where('held_until', '<=', now)
    .returning(['id', 'workspace_id', 'state', 'audience', 'model', 'created_at'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { workspace_id: workspaceId, created_at: createdAt, audience, model } = row;
  return {
    id,
    workspaceId,
    createdAt,
    audience,
    model,
    state: row.state === 'reading' ? 'reading' : 'answering',
  };
}

/** Returns the number of the next slice; null if the import has ended meanwhile. */
export async function letGoOfImport(database: Kysely<Tables>, id: string): Promise<number | null> {
  const row = await database
    .updateTable('ticket_import')
    .set({ held_until: sql<Date>`'-infinity'`, slice: sql<number>`slice + 1` })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'answering'])
    .returning('slice')
    .executeTakeFirst();
  return row?.slice ?? null;
}
