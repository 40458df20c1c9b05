import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables.ts';
import { posting } from './posting.ts';

interface Postings {
  readonly postings: ReadonlyMap<number, Uint32Array>;
  /** By place. */
  readonly lengths: Uint16Array;
}

/** Read at once: others get their turn after each page. */
const pageSize = 5_000;
const pageSchema = z.array(z.tuple([z.number(), z.number(), z.number(), z.number()]));

/** Which terms of a scope occur in these chunks, whose places are those in `chunkIds`. */
export async function loadPostings(
  database: Kysely<Tables>,
  scopeId: number,
  chunkIds: readonly number[],
): Promise<Postings> {
  const places = new Map(chunkIds.map((id, place) => [id, place]));
  const lengths = new Uint16Array(chunkIds.length);
  const packed = new Map<number, number[]>();
  for await (const [term, chunkId, frequency, length] of postingsOf(database, scopeId)) {
    const place = places.get(chunkId);
    if (place === undefined) continue;
    lengths[place] = length;
    const ofTerm = packed.get(term);
    if (ofTerm === undefined) packed.set(term, [posting(place, frequency)]);
    else ofTerm.push(posting(place, frequency));
  }
  const postings = new Map(Array.from(packed, ([term, list]) => [term, Uint32Array.from(list)]));
  return { postings, lengths };
}

/** By term. As one JSON value a page: the driver would take ten times as long to read rows. */
async function* postingsOf(database: Kysely<Tables>, scopeId: number) {
  let [lastTerm, lastChunk] = [-(2 ** 31), 0];
  for (;;) {
    const { rows } = await sql<{ page: unknown }>`
      select json_agg(json_build_array(term, chunk_id, term_frequency, chunk_length)) as page
      from (
        select * from posting
        where scope_id = ${scopeId} and (term, chunk_id) > (${lastTerm}::int, ${lastChunk}::int)
        order by term, chunk_id limit ${pageSize}
      ) as next
    `.execute(database);
    const page = pageSchema.parse(rows[0]?.page ?? []);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    [lastTerm, lastChunk] = last;
  }
}
