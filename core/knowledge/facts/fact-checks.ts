import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

interface PublishedRevision {
  readonly documentNumber: number;
  readonly revision: number;
}

/** Queues the comparison of a document's facts, in the transaction that publishes its passages. */
export async function queueFactCheck(
  transaction: Transaction<Tables>,
  { documentNumber, revision }: PublishedRevision,
): Promise<void> {
  await sql`
    insert into fact_check (document_number, revision) values (${documentNumber}::int, ${revision}::int)
    on conflict (document_number) do update
    set revision = excluded.revision, held_until = '-infinity', attempts = 0
  `.execute(transaction);
}

/** A document whose process died is taken by another one after this time. */
const HELD_SECONDS = 120;
/** A document that fails this often is left as it is until it changes. */
const MAX_ATTEMPTS = 3;

/** Takes the document that has waited for the longest time. Null if none waits. */
export async function holdFactCheck(database: Kysely<Tables>): Promise<PublishedRevision | null> {
  const { rows } = await sql<PublishedRevision>`
    with due as (
      select document_number from fact_check
      where held_until < clock_timestamp() and attempts < ${MAX_ATTEMPTS}::int
      order by held_until, document_number
      limit 1
      for update skip locked
    )
    update fact_check
    set held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS}::float8), attempts = attempts + 1
    from due where fact_check.document_number = due.document_number
    returning fact_check.document_number as "documentNumber", fact_check.revision
  `.execute(database);
  return rows[0] ?? null;
}

/** Ends a comparison. One of a newer revision stays queued. */
export async function endFactCheck(
  database: Kysely<Tables>,
  { documentNumber, revision }: PublishedRevision,
): Promise<void> {
  await database
    .deleteFrom('fact_check')
    .where('document_number', '=', documentNumber)
    .where('revision', '=', revision)
    .execute();
}
