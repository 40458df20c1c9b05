import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { indexedText } from '../passage.ts';
import { detectLanguage } from '../text/language.ts';
import { termHash, tokenise, tokenKindFor } from '../text/tokens.ts';

/** Stored with the index. Increase it with every change of the tokens: the chunks are then indexed again. */
export const ANALYSER_VERSION = 2;

/** Returns the index tokens of a passage in any language, with repeats, in reading order. Deterministic. */
export function indexTokens(text: string): readonly string[] {
  return tokenise(text, tokenKindFor(detectLanguage(text)));
}

/** Term frequencies of a passage, and its length in terms. */
export interface PassageTerms {
  readonly frequencies: ReadonlyMap<number, number>;
  readonly length: number;
}

interface PassageSource {
  readonly title: string;
  readonly headings: readonly string[];
  readonly body: string;
}

const MAX_SMALLINT = 32_767;

/** Counts the terms of a passage. Indexing and removal must use the same counts. */
export function countTerms(source: PassageSource): PassageTerms {
  const tokens = indexTokens(indexedText(source.title, source.headings, source.body));
  const frequencies = new Map<number, number>();
  for (const token of tokens) {
    const term = termHash(token);
    frequencies.set(term, Math.min((frequencies.get(term) ?? 0) + 1, MAX_SMALLINT));
  }
  return { frequencies, length: Math.min(tokens.length, MAX_SMALLINT) };
}

/** Returns a hash that is equal for passages whose vectors of one model are equal. */
export function passageHash(source: PassageSource): string {
  const text = indexedText(source.title, source.headings, source.body);
  return createHash('sha256').update(text).digest('base64');
}

/** Formats a vector in pgvector's text format. */
export function formatVector(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(7)).join(',')}]`;
}

/** A chunk's id with the terms under which it is counted. */
interface IndexedPassage {
  readonly id: number;
  readonly terms: PassageTerms;
}

/** Adds the postings of chunks of one scope and updates its counts. */
export async function addPostings(
  transaction: Transaction<Tables>,
  scopeId: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const rows = passages.flatMap(({ id, terms }) =>
    [...terms.frequencies].map(([term, frequency]) => ({ term, id, frequency, length: terms.length })),
  );
  await sql`
    insert into posting (scope_id, term, chunk_id, term_frequency, chunk_length)
    select ${scopeId}::int, term, id, frequency, length
    from unnest(
      ${rows.map((row) => row.term)}::int[], ${rows.map((row) => row.id)}::int[],
      ${rows.map((row) => row.frequency)}::int[], ${rows.map((row) => row.length)}::int[]
    ) as given (term, id, frequency, length)
  `.execute(transaction);
  await changeCounts(transaction, scopeId, { passages, sign: 1 });
}

/** Removes what `addPostings` added for the same passages. */
export async function removePostings(
  transaction: Transaction<Tables>,
  scopeId: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const rows = passages.flatMap(({ id, terms }) =>
    [...terms.frequencies.keys()].map((term) => ({ id, term })),
  );
  await sql`
    delete from posting
    using unnest(${rows.map((row) => row.term)}::int[], ${rows.map((row) => row.id)}::int[]) as gone (term, id)
    where posting.scope_id = ${scopeId} and posting.term = gone.term and posting.chunk_id = gone.id
  `.execute(transaction);
  await changeCounts(transaction, scopeId, { passages, sign: -1 });
}

interface CountChange {
  readonly passages: readonly IndexedPassage[];
  readonly sign: 1 | -1;
}

/** Updates rows in the order of terms, so that two workers with the same terms cannot deadlock. */
async function changeCounts(
  transaction: Transaction<Tables>,
  scopeId: number,
  { passages, sign }: CountChange,
): Promise<void> {
  const counts = new Map<number, number>();
  for (const { terms } of passages) {
    for (const term of terms.frequencies.keys()) counts.set(term, (counts.get(term) ?? 0) + sign);
  }
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const terms = sorted.map(([term]) => term);
  await sql`
    insert into term_count as counted (scope_id, term, chunk_count)
    select ${scopeId}::int, term, change
    from unnest(${terms}::int[], ${sorted.map(([, change]) => change)}::int[]) as given (term, change)
    on conflict (scope_id, term) do update set chunk_count = counted.chunk_count + excluded.chunk_count
  `.execute(transaction);
  if (sign < 0) {
    await sql`
      delete from term_count where scope_id = ${scopeId} and term = any(${terms}::int[]) and chunk_count <= 0
    `.execute(transaction);
  }
  const length = passages.reduce((sum, passage) => sum + passage.terms.length, 0);
  await sql`
    update scope set chunk_count = chunk_count + ${sign * passages.length}, term_count = term_count + ${sign * length}
    where id = ${scopeId}
  `.execute(transaction);
}
