import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { chunksPerTransaction } from './write-chunks.ts';

/** Up to here comparing every vector of a scope is about as fast as walking the graph, and exact. */
const largestExactScope = 5_000;

/**
 * Puts the vectors of a scope into the graph index once it is too large to be compared whole. In small transactions,
 * so that answers come in between; safe to stop and repeat.
 */
export async function buildGraph(
  database: Kysely<Tables>,
  scopeId: number,
  largestExact: number = largestExactScope,
): Promise<void> {
  const { graph } = await database
    .selectFrom('scope')
    .select(sql<string>`case when chunk_count > ${largestExact} then graph else 'small' end`.as('graph'))
    .where('id', '=', scopeId)
    .executeTakeFirstOrThrow();
  if (graph !== 'none' && graph !== 'building') return;
  await database.updateTable('scope').set({ graph: 'building' }).where('id', '=', scopeId).execute();
  let added = 0;
  do added = await addBatch(database, scopeId);
  while (added > 0);
}

/** When nothing is left to add, the scope is searched by the graph from the same instant on. */
async function addBatch(database: Kysely<Tables>, scopeId: number): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('scope').select('id').where('id', '=', scopeId).forUpdate().execute();
    const result = await sql`
      update chunk_vector set in_graph = true
      where chunk_id in (
        select chunk_id from chunk_vector where scope_id = ${scopeId} and not in_graph limit ${chunksPerTransaction}
      )
    `.execute(transaction);
    const added = Number(result.numAffectedRows ?? 0n);
    if (added === 0) {
      await transaction.updateTable('scope').set({ graph: 'built' }).where('id', '=', scopeId).execute();
    }
    return added;
  });
}
