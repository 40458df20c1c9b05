import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { FactConflictTable } from '../../storage/tables/knowledge-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { FactKind } from './fact.ts';

/** A sentence, an item or a row of a document. */
export interface Statement {
  readonly documentId: string;
  readonly chunkId: string;
  readonly text: string;
}

/** Two statements that contradict each other, or one that names its last day. */
export interface FoundConflict {
  readonly kind: FactKind | 'past';
  readonly statements: readonly [Statement, Statement] | readonly [Statement];
  /** The values in the normal form, one for each statement. */
  readonly values: readonly string[];
  /** As they are written. */
  readonly marks: readonly string[];
  /** The last day in days since 1970; null for a contradiction. */
  readonly lastDay: number | null;
}

interface CheckedFacts {
  readonly documentNumber: number;
  readonly workspaceId: string;
  readonly at: Date;
  readonly found: readonly FoundConflict[];
  /** All statements of the document as it is now. */
  readonly statements: readonly Statement[];
}

type ConflictRow = Selectable<FactConflictTable>;
type NewRow = Omit<ConflictRow, 'id' | 'status' | 'found_at' | 'resolved_at'>;

/** Resolved ones are of no use after this time. */
const KEPT_DAYS = 90;

/**
 * Stores the contradictions of a document. A dismissed one stays dismissed while its texts are the same. An earlier one is
 * resolved when its statement is gone, or when no visitor sees both documents any more.
 */
export async function storeConflicts(database: Kysely<Tables>, checked: CheckedFacts): Promise<void> {
  const { workspaceId, at, found } = checked;
  await database.transaction().execute(async (transaction) => {
    const numbers = await findNumbers(transaction, checked);
    const rows = new Map<string, NewRow>();
    for (const one of found) {
      const row = toRow(one, { workspaceId, numbers });
      if (row !== null) rows.set(row.fingerprint, row);
    }
    for (const row of rows.values()) {
      await transaction
        .insertInto('fact_conflict')
        .values({ ...row, id: newId('fact'), status: 'open', found_at: at })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'fingerprint']).doUpdateSet({
            ...{ chunk_id: row.chunk_id, other_chunk_id: row.other_chunk_id, resolved_at: null },
            status: sql`case when fact_conflict.status = 'resolved' then 'open' else fact_conflict.status end`,
            found_at: sql`case when fact_conflict.status = 'resolved' then excluded.found_at else fact_conflict.found_at end`,
          }),
        )
        .execute();
    }
    await settleEarlier(transaction, checked, new Set(rows.keys()));
  });
}

/** The documents of the statements that still exist, by id. They are locked, so that none disappears meanwhile. */
async function findNumbers(
  transaction: Transaction<Tables>,
  { workspaceId, found }: CheckedFacts,
): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(found.flatMap(({ statements }) => statements.map(({ documentId }) => documentId)))];
  if (ids.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('document')
    .select(['id', 'number'])
    .where('id', 'in', ids)
    .where('workspace_id', '=', workspaceId)
    .orderBy('number')
    .forKeyShare()
    .execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
}

interface RowContext {
  readonly workspaceId: string;
  readonly numbers: ReadonlyMap<string, number>;
}

/** The same pair gives the same row, whichever of the documents was compared with the other. */
function toRow(
  { kind, statements, values, marks, lastDay }: FoundConflict,
  context: RowContext,
): NewRow | null {
  const { workspaceId, numbers } = context;
  const sides = statements
    .flatMap(({ documentId, chunkId, text }, index) => {
      const number = numbers.get(documentId);
      if (number === undefined) return [];
      return [
        { number, chunkId: Number(chunkId), text, value: values[index] ?? '', mark: marks[index] ?? '' },
      ];
    })
    .toSorted((one, other) => one.number - other.number || (one.text < other.text ? -1 : 1));
  const [first, second] = sides;
  if (first === undefined || sides.length < statements.length) return null;
  const told = JSON.stringify([kind, ...sides.map(({ number, text }) => [number, text])]);
  return {
    ...{ workspace_id: workspaceId, kind, last_day: lastDay },
    fingerprint: createHash('sha256').update(told).digest('base64'),
    ...{ document_number: first.number, chunk_id: first.chunkId, sentence: first.text },
    ...{ value: first.value, mark: first.mark },
    ...{ other_document_number: second?.number ?? null, other_chunk_id: second?.chunkId ?? null },
    ...{
      other_sentence: second?.text ?? null,
      other_value: second?.value ?? null,
      other_mark: second?.mark ?? null,
    },
  };
}

/**
 * Settles what was found earlier and not this time. Its statement may still be there: neighbours are chosen among the
 * nearest, so a pair can be found from one side and not from the other.
 */
async function settleEarlier(
  transaction: Transaction<Tables>,
  { documentNumber, statements, at }: CheckedFacts,
  found: ReadonlySet<string>,
): Promise<void> {
  const earlier = await transaction
    .selectFrom('fact_conflict')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('document_number', '=', documentNumber), eb('other_document_number', '=', documentNumber)]),
    )
    .execute();
  const places = new Map(statements.map(({ text, chunkId }) => [text, Number(chunkId)]));
  for (const row of earlier.filter(({ fingerprint }) => !found.has(fingerprint))) {
    const isFirst = row.document_number === documentNumber;
    const place = places.get(isFirst ? row.sentence : (row.other_sentence ?? ''));
    if (place !== undefined && (await areSeenTogether(transaction, row))) {
      await transaction
        .updateTable('fact_conflict')
        .set(isFirst ? { chunk_id: place } : { other_chunk_id: place })
        .where('id', '=', row.id)
        .execute();
    } else if (row.status === 'dismissed') {
      await transaction.deleteFrom('fact_conflict').where('id', '=', row.id).execute();
    } else if (row.status === 'open') {
      await transaction
        .updateTable('fact_conflict')
        .set({ status: 'resolved', resolved_at: at })
        .where('id', '=', row.id)
        .execute();
    }
  }
  await sql`
    delete from fact_conflict
    where (document_number = ${documentNumber}::int or other_document_number = ${documentNumber}::int)
      and status = 'resolved' and resolved_at < ${at}::timestamptz - make_interval(days => ${KEPT_DAYS}::int)
  `.execute(transaction);
}

/** Whether some visitor may see both documents. */
async function areSeenTogether(transaction: Transaction<Tables>, row: ConflictRow): Promise<boolean> {
  if (row.other_document_number === null) return true;
  const { rows } = await sql<{ isSeen: boolean }>`
    select one.audience = '{}' or other.audience = '{}' or one.audience && other.audience as "isSeen"
    from document one join document other on other.number = ${row.other_document_number}::int
    where one.number = ${row.document_number}::int
  `.execute(transaction);
  return rows[0]?.isSeen === true;
}
