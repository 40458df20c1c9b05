import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { detectLanguage } from '../../language/language.ts';
import { termHash, tokenise, tokenKindFor } from '../../language/tokens.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { indexedText } from '../passage.ts';

/**
 * The version of the analysis, stored with each scope. Increase it with every change of the tokens: the chunks are
 * then indexed again.
 */
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
export interface IndexedPassage {
  readonly id: number;
  readonly terms: PassageTerms;
}

/**
 * Adds the postings of chunks of one scope and updates its counts. A rebuild of the scope's words that has passed the
 * chunks gets them too; it reaches all others by itself. The scope stays locked until the end of the transaction.
 */
export async function addPostings(
  transaction: Transaction<Tables>,
  scopeId: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const { words, rebuilt, position } = await lockWords(transaction, scopeId);
  await insertPostings(transaction, words, passages);
  await transaction
    .updateTable('scope')
    .set({
      chunk_count: sql`chunk_count + ${passages.length}`,
      term_count: sql`term_count + ${totalLength(passages)}`,
      analyser: sql`case when chunk_count = 0 then ${ANALYSER_VERSION} else least(analyser, ${ANALYSER_VERSION}) end`,
    })
    .where('id', '=', scopeId)
    .execute();
  const passed = passages.filter(({ id }) => id <= position);
  if (passed.length === 0) return;
  await insertPostings(transaction, rebuilt, passed);
  await changeRebuiltCounts(transaction, scopeId, { passages: passed, sign: 1 });
}

/** Removes what `addPostings` or a rebuild added for the same passages. */
export async function removePostings(
  transaction: Transaction<Tables>,
  scopeId: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const { words, rebuilt, position } = await lockWords(transaction, scopeId);
  await deletePostings(transaction, words, passages);
  await transaction
    .updateTable('scope')
    .set({
      chunk_count: sql`chunk_count - ${passages.length}`,
      term_count: sql`term_count - ${totalLength(passages)}`,
    })
    .where('id', '=', scopeId)
    .execute();
  const passed = passages.filter(({ id }) => id <= position);
  if (passed.length === 0) return;
  await deletePostings(transaction, rebuilt, passed);
  await changeRebuiltCounts(transaction, scopeId, { passages: passed, sign: -1 });
}

interface ScopeWords {
  /** The `scope_id` of the postings and term counts that searches read. */
  readonly words: number;
  /** That of those which a rebuild writes. */
  readonly rebuilt: number;
  /** The last chunk that the rebuild has written; 0 without one. */
  readonly position: number;
}

/** The row lock keeps the result true until the end of the transaction. */
async function lockWords(transaction: Transaction<Tables>, scopeId: number): Promise<ScopeWords> {
  const { words_side, rebuild, rebuild_position } = await transaction
    .selectFrom('scope')
    .select(['words_side', 'rebuild', 'rebuild_position'])
    .where('id', '=', scopeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const words = scopeId * words_side;
  return { words, rebuilt: -words, position: rebuild === 'building' ? rebuild_position : 0 };
}

/** Writes postings and term counts under one key. Its scope must be locked: the order of the terms is arbitrary. */
export async function insertPostings(
  transaction: Transaction<Tables>,
  words: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const rows = passages.flatMap(({ id, terms }) =>
    [...terms.frequencies].map(([term, frequency]) => ({ term, id, frequency, length: terms.length })),
  );
  await sql`
    with added as (
      insert into posting (scope_id, term, chunk_id, term_frequency, chunk_length)
      select ${words}::int, term, id, frequency, length
      from unnest(
        ${rows.map((row) => row.term)}::int[], ${rows.map((row) => row.id)}::int[],
        ${rows.map((row) => row.frequency)}::int[], ${rows.map((row) => row.length)}::int[]
      ) as given (term, id, frequency, length)
      on conflict do nothing
      returning term
    )
    insert into term_count as counted (scope_id, term, chunk_count)
    select ${words}::int, term, count(*) from added group by term
    on conflict (scope_id, term) do update set chunk_count = counted.chunk_count + excluded.chunk_count
  `.execute(transaction);
}

/** Counts only what was there: postings of another analyser version, or of a chunk that was lost, are not. */
async function deletePostings(
  transaction: Transaction<Tables>,
  words: number,
  passages: readonly IndexedPassage[],
): Promise<void> {
  const rows = passages.flatMap(({ id, terms }) =>
    [...terms.frequencies.keys()].map((term) => ({ id, term })),
  );
  const terms = rows.map((row) => row.term);
  await sql`
    with gone as (
      delete from posting
      using unnest(${terms}::int[], ${rows.map((row) => row.id)}::int[]) as given (term, id)
      where posting.scope_id = ${words} and posting.term = given.term and posting.chunk_id = given.id
      returning posting.term
    )
    update term_count set chunk_count = chunk_count - change
    from (select term, count(*) as change from gone group by term) as changed
    where scope_id = ${words} and term_count.term = changed.term
  `.execute(transaction);
  await sql`
    delete from term_count where scope_id = ${words} and term = any(${terms}::int[]) and chunk_count <= 0
  `.execute(transaction);
}

interface CountChange {
  readonly passages: readonly IndexedPassage[];
  readonly sign: 1 | -1;
}

async function changeRebuiltCounts(
  transaction: Transaction<Tables>,
  scopeId: number,
  { passages, sign }: CountChange,
): Promise<void> {
  await transaction
    .updateTable('scope')
    .set({
      rebuild_chunks: sql`rebuild_chunks + ${sign * passages.length}`,
      rebuild_terms: sql`rebuild_terms + ${sign * totalLength(passages)}`,
    })
    .where('id', '=', scopeId)
    .execute();
}

/** In terms. */
export function totalLength(passages: readonly IndexedPassage[]): number {
  return passages.reduce((sum, { terms }) => sum + terms.length, 0);
}
