import { type Kysely, sql } from 'kysely';
import { countTerms } from '../../../../core/knowledge/indexing/postings.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

interface ScopeCounts {
  readonly id: number;
  readonly words: number;
  readonly chunks: number;
  readonly terms: number;
  readonly rebuild: string | null;
}

/** Describes every difference between the stored word index and one that is counted anew from all chunks. */
export async function findWrongWords(database: Kysely<Tables>): Promise<readonly string[]> {
  const scopes = await sql<ScopeCounts>`
    select id, id * words_side as words, chunk_count as chunks, term_count::int as terms, rebuild from scope
  `.execute(database);
  const wrong: string[] = [];
  const keys = scopes.rows.map(({ words }) => words);
  for (const { id, words, chunks, terms, rebuild } of scopes.rows) {
    const rows = await database.selectFrom('chunk').selectAll().where('scope_id', '=', id).execute();
    const counted = rows.map((chunk) => ({ id: chunk.id, ...countTerms(chunk) }));
    const frequencies = new Map<number, number>();
    const expected = new Set<string>();
    for (const passage of counted) {
      for (const [term, frequency] of passage.frequencies) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
        expected.add([term, passage.id, frequency, passage.length].join());
      }
    }
    const postings = await sql<{ told: string }>`
      select concat_ws(',', term, chunk_id, term_frequency, chunk_length) as told from posting
      where scope_id = ${words}`.execute(database);
    const stored = new Set(postings.rows.map(({ told }) => told));
    const length = counted.reduce((sum, passage) => sum + passage.length, 0);
    const missing = countMissing(expected, stored);
    const tooMany = countMissing(stored, expected);
    if (missing + tooMany > 0)
      wrong.push(`scope ${id} lacks ${missing} postings and has ${tooMany} too many`);
    if (chunks !== rows.length || terms !== length) {
      wrong.push(`scope ${id} counts ${chunks} chunks of ${rows.length}, ${terms} terms of ${length}`);
    }
    const counts = await sql<{ told: string }>`
      select concat_ws(',', term, chunk_count) as told from term_count where scope_id = ${words}`.execute(
      database,
    );
    const wanted = new Set(Array.from(frequencies, (pair) => pair.join()));
    const known = new Set(counts.rows.map(({ told }) => told));
    const different = countMissing(wanted, known) + countMissing(known, wanted);
    if (different > 0) wrong.push(`scope ${id} has ${different} wrong term counts`);
    if (rebuild !== null) wrong.push(`scope ${id} is ${rebuild}`);
  }
  for (const table of ['posting', 'term_count']) {
    const others = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where scope_id <> all(${keys}::int[])`.execute(
      database,
    );
    if (others.rows[0]?.count !== 0) wrong.push(`${others.rows[0]?.count} rows of ${table} are of no scope`);
  }
  return wrong;
}

function countMissing(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return [...wanted].filter((one) => !found.has(one)).length;
}
