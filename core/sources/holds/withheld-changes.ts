import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { RunRow } from '../runs/run-queue.ts';

/** Base64 characters per row: small enough that no single statement occupies the database for long. */
const PART_CHARACTERS = 1_000_000;

export type ChangeRow = Selectable<Tables['source_change']>;

export interface WithheldChange {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly fileName: string | undefined;
  readonly audience: readonly string[];
  readonly version: string | null;
  readonly validators: unknown;
  readonly sizeBefore: number | null;
  readonly size: number;
  readonly fingerprint: string;
  /** The key of the item whose document is taken over. */
  readonly takesFrom: string | null;
}

/** Keeps the new content of a document until the run is judged. An earlier one of the same item is replaced. */
export async function withholdChange(
  transaction: Transaction<Tables>,
  run: RunRow,
  { bytes, ...change }: WithheldChange,
): Promise<void> {
  const place = { source_id: run.source_id, key: change.key };
  await transaction
    .deleteFrom('source_change')
    .where('source_id', '=', place.source_id)
    .where('key', '=', place.key)
    .execute();
  await transaction
    .insertInto('source_change')
    .values({
      ...{ ...place, workspace_id: run.workspace_id, run: run.number },
      ...{ title: change.title ?? null, url: change.url ?? null, file_name: change.fileName ?? null },
      ...{ content_type: change.contentType ?? '', audience: [...change.audience], version: change.version },
      ...{ validators: JSON.stringify(change.validators), takes_from: change.takesFrom },
      ...{ size_before: change.sizeBefore, size: change.size, fingerprint: change.fingerprint },
    })
    .execute();
  const text = Buffer.from(bytes).toString('base64');
  for (let at = 0, part = 0; at < text.length || part === 0; at += PART_CHARACTERS, part += 1) {
    const data = text.slice(at, at + PART_CHARACTERS);
    await transaction
      .insertInto('source_change_part')
      .values({ ...place, part, data })
      .execute();
  }
}

/** Returns the next change of a run with its content, or null. */
export async function findChange(
  database: Kysely<Tables>,
  { source_id: sourceId, number }: Pick<RunRow, 'source_id' | 'number'>,
): Promise<(ChangeRow & { readonly bytes: Uint8Array }) | null> {
  const row = await database
    .selectFrom('source_change')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('run', '=', number)
    .orderBy('key')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const parts = await database
    .selectFrom('source_change_part')
    .select('data')
    .where('source_id', '=', sourceId)
    .where('key', '=', row.key)
    .orderBy('part')
    .execute();
  return { ...row, bytes: Buffer.from(parts.map(({ data }) => data).join(''), 'base64') };
}

export async function dropChange(
  transaction: Transaction<Tables>,
  { source_id, key }: Pick<ChangeRow, 'source_id' | 'key'>,
): Promise<void> {
  await transaction
    .deleteFrom('source_change')
    .where('source_id', '=', source_id)
    .where('key', '=', key)
    .execute();
}

/** Drops what earlier runs have left, or what all have; not what a run of changes is about to publish. */
export async function dropChanges(
  transaction: Transaction<Tables>,
  sourceId: string,
  { except }: { readonly except: number | null },
): Promise<void> {
  await transaction
    .deleteFrom('source_change')
    .where('source_id', '=', sourceId)
    .where(sql<boolean>`run is distinct from ${except}::int`)
    .where(sql<boolean>`not exists (
      select from source_run
      where source_run.source_id = ${sourceId} and source_run.number = source_change.run
        and source_run.is_partial and source_run.state in ('queued', 'running')
    )`)
    .execute();
}

export async function dropChangesBy(
  transaction: Transaction<Tables>,
  { source_id: sourceId, number }: Pick<RunRow, 'source_id' | 'number'>,
): Promise<void> {
  await transaction
    .deleteFrom('source_change')
    .where('source_id', '=', sourceId)
    .where('run', '=', number)
    .execute();
}
