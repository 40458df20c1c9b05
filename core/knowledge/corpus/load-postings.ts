import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables.ts';
import { posting } from './posting.ts';

interface Postings {
  readonly postings: ReadonlyMap<number, Uint32Array>;
  /** By place. */
  readonly lengths: Uint16Array;
}

/** Of so many chunks about as much is read at once: others get their turn after each page. */
const chunksOfPage = 50;
/** Terms are whole numbers of 32 bits. */
const allTerms = 2 ** 32;
const numbersSchema = z.array(z.number()).nullable();
const pageSchema = z.object({
  terms: numbersSchema,
  chunkIds: numbersSchema,
  frequencies: numbersSchema,
  lengths: numbersSchema,
});

/** Which terms of a scope occur in these chunks, whose places are those in `chunkIds`. */
export async function loadPostings(
  database: Kysely<Tables>,
  scopeId: number,
  chunkIds: readonly number[],
): Promise<Postings> {
  const places = new Map(chunkIds.map((id, place) => [id, place]));
  const lengths = new Uint16Array(chunkIds.length);
  const packed = new Map<number, number[]>();
  for await (const page of pagesOf(database, scopeId, Math.ceil(chunkIds.length / chunksOfPage))) {
    for (const [index, term] of page.terms.entries()) {
      const place = places.get(page.chunkIds[index] ?? 0);
      if (place === undefined) continue;
      lengths[place] = page.lengths[index] ?? 0;
      const one = posting(place, page.frequencies[index] ?? 0);
      const ofTerm = packed.get(term);
      if (ofTerm === undefined) packed.set(term, [one]);
      else ofTerm.push(one);
    }
  }
  const postings = new Map(Array.from(packed, ([term, list]) => [term, Uint32Array.from(list)]));
  return { postings, lengths };
}

/**
 * By ranges of terms, which are hashes and so lie evenly: nothing has to be sorted. Lists of numbers as JSON: the driver
 * would take ten times as long to read rows.
 */
async function* pagesOf(database: Kysely<Tables>, scopeId: number, pages: number) {
  for (let page = 0; page < pages; page += 1) {
    const [from, to] = [page, page + 1].map((edge) => Math.floor((edge / pages) * allTerms) - allTerms / 2);
    const { rows } = await sql`
      select array_to_json(array_agg(term)) as terms, array_to_json(array_agg(chunk_id)) as "chunkIds",
             array_to_json(array_agg(term_frequency)) as frequencies, array_to_json(array_agg(chunk_length)) as lengths
      from posting
      where scope_id = ${scopeId} and term >= ${from}::bigint and term < ${to}::bigint
    `.execute(database);
    const { terms, chunkIds, frequencies, lengths } = pageSchema.parse(rows[0]);
    if (terms === null || chunkIds === null || frequencies === null || lengths === null) continue;
    yield { terms, chunkIds, frequencies, lengths };
  }
}
