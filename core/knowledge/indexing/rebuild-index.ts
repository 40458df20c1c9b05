import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { ANALYSER_VERSION, countTerms, insertPostings, totalLength } from './postings.ts';
import { chunksPerTransaction } from './write-chunks.ts';

interface RebuildDependencies {
  readonly database: Kysely<Tables>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Stops after the transaction that runs. */
  readonly signal: AbortSignal;
}

const PROGRESS_INTERVAL_MS = 15_000;
/** Pause while other processes hold all scopes that are left. */
const BUSY_PAUSE_MS = 50;
/** Postings and term counts removed per transaction. */
const MAX_ROWS_REMOVED = 5_000;

/**
 * Indexes the words of those scopes anew whose terms are of an earlier analyser version, or that lack passages, and returns
 * the number of scopes that this process completed. Searches read the words from before until a scope is complete. Several
 * processes share the scopes; a process that ends leaves nothing behind but a stored position. Vectors are left alone:
 * `changeModels` replaces them.
 */
export async function rebuildIndex({ database, log, signal }: RebuildDependencies): Promise<number> {
  const found = await findIncompleteScopes(database);
  for (const scope of found) await requestRebuild(database, scope.id);
  const left = await countLeft(database);
  if (left.scopes === 0) return 0;
  const missing = found.reduce((sum, scope) => sum + Math.max(0, scope.chunks - scope.indexed), 0);
  log.warn({ ...left, missing }, 'search index rebuild started');
  let completed = 0;
  let loggedAt = performance.now();
  while (!signal.aborted) {
    const step = await runStep(database);
    if (step === 'swapped') completed += 1;
    if (step === 'none') {
      if ((await countLeft(database)).scopes === 0) break;
      await wait(BUSY_PAUSE_MS);
    }
    if (performance.now() - loggedAt < PROGRESS_INTERVAL_MS) continue;
    loggedAt = performance.now();
    log.info(await countLeft(database), 'search index rebuild continues');
  }
  if (!signal.aborted) log.info({ scopes: completed }, 'search index rebuild finished');
  return completed;
}

interface IncompleteScope {
  readonly id: number;
  readonly chunks: number;
  /** The number of chunks whose words are indexed. */
  readonly indexed: number;
}

/** Compares the counts of all scopes in one snapshot. */
async function findIncompleteScopes(
  database: Kysely<Tables>,
  scopeId: number | null = null,
): Promise<readonly IncompleteScope[]> {
  const { rows } = await sql<IncompleteScope>`
    select scope.id, counted.chunks, scope.chunk_count as indexed
    from scope
    cross join lateral (select count(*)::int as chunks from chunk where chunk.scope_id = scope.id) as counted
    where scope.rebuild is null and (${scopeId}::int is null or scope.id = ${scopeId}) and (
      counted.chunks <> scope.chunk_count
      or (scope.analyser < ${ANALYSER_VERSION} and counted.chunks > 0)
    )
    order by scope.id
  `.execute(database);
  return rows;
}

/** Looks at the scope again while nobody else can change it. */
async function requestRebuild(database: Kysely<Tables>, scopeId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('scope').select('id').where('id', '=', scopeId).forUpdate().execute();
    if ((await findIncompleteScopes(transaction, scopeId)).length === 0) return;
    await transaction.updateTable('scope').set({ rebuild: 'waiting' }).where('id', '=', scopeId).execute();
  });
}

/** Counts the scopes and passages that are left, for this process and for others. */
async function countLeft(
  database: Kysely<Tables>,
): Promise<{ readonly scopes: number; readonly passages: number }> {
  const { rows } = await sql<{ scopes: number; passages: number }>`
    select count(*)::int as scopes, coalesce(sum(counted.left), 0)::int as passages
    from scope
    cross join lateral (
      select count(*)::int as left from chunk
      where rebuild <> 'cleaning' and chunk.scope_id = scope.id and chunk.id > scope.rebuild_position
    ) as counted
    where ${isOurs}
  `.execute(database);
  return rows[0] ?? { scopes: 0, passages: 0 };
}

/** A rebuild by a newer version is left to processes of that version. */
const isOurs = sql<boolean>`rebuild is not null and coalesce(rebuild_analyser, 0) <= ${sql.lit(ANALYSER_VERSION)}`;

type ScopeRow = Selectable<Tables['scope']>;
type Step = 'none' | 'worked' | 'swapped';

/**
 * Does a small part of a rebuild that no other process is at, in one transaction. The row lock is the lease: it ends with
 * the process, and the position is stored with the postings.
 */
async function runStep(database: Kysely<Tables>): Promise<Step> {
  return database.transaction().execute(async (transaction) => {
    const scope = await transaction
      .selectFrom('scope')
      .selectAll()
      .where(isOurs)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (scope === undefined) return 'none';
    if (scope.rebuild === 'cleaning') return clean(transaction, scope);
    if (scope.rebuild === 'building' && scope.rebuild_analyser === ANALYSER_VERSION) {
      return build(transaction, scope);
    }
    return begin(transaction, scope);
  });
}

/** Empties the other side, of an interrupted rebuild by another version. */
async function begin(transaction: Transaction<Tables>, scope: ScopeRow): Promise<Step> {
  const started = {
    ...{ rebuild: 'building', rebuild_analyser: ANALYSER_VERSION },
    ...{ rebuild_position: 0, rebuild_chunks: 0, rebuild_terms: 0 },
  };
  const isEmpty = await emptyOtherSide(transaction, scope);
  await change(transaction, scope, isEmpty ? started : { rebuild: 'waiting' });
  return 'worked';
}

async function build(transaction: Transaction<Tables>, scope: ScopeRow): Promise<Step> {
  const chunks = await transaction
    .selectFrom('chunk')
    .selectAll()
    .where('scope_id', '=', scope.id)
    .where('id', '>', scope.rebuild_position)
    .orderBy('id')
    .limit(chunksPerTransaction)
    .execute();
  const passages = chunks.map((chunk) => ({ id: chunk.id, terms: countTerms(chunk) }));
  await insertPostings(transaction, otherSide(scope), passages);
  const rebuilt = {
    position: chunks.at(-1)?.id ?? scope.rebuild_position,
    chunks: scope.rebuild_chunks + passages.length,
    terms: Number(scope.rebuild_terms) + totalLength(passages),
  };
  if (chunks.length === chunksPerTransaction) {
    await change(transaction, scope, {
      ...{ rebuild_position: rebuilt.position, rebuild_chunks: rebuilt.chunks, rebuild_terms: rebuilt.terms },
    });
    return 'worked';
  }
  await change(transaction, scope, {
    ...{ words_side: -scope.words_side, analyser: ANALYSER_VERSION, rebuild: 'cleaning' },
    ...{ chunk_count: rebuilt.chunks, term_count: rebuilt.terms },
    ...{ rebuild_position: 0, rebuild_chunks: 0, rebuild_terms: 0 },
  });
  // Processes that hold the workspace in memory load it again.
  await transaction
    .updateTable('corpus')
    .set({ version: sql`gen_random_uuid()` })
    .where('workspace_id', '=', scope.workspace_id)
    .execute();
  return 'swapped';
}

/** Removes what searches read before the swap. */
async function clean(transaction: Transaction<Tables>, scope: ScopeRow): Promise<Step> {
  const isEmpty = await emptyOtherSide(transaction, scope);
  if (isEmpty) await change(transaction, scope, { rebuild: null, rebuild_analyser: null });
  return 'worked';
}

/** Removes some rows of the side that searches do not read. Returns whether it is empty. */
async function emptyOtherSide(transaction: Transaction<Tables>, scope: ScopeRow): Promise<boolean> {
  const words = otherSide(scope);
  for (const table of ['posting', 'term_count']) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where scope_id = ${words} limit ${MAX_ROWS_REMOVED}
      ))`.execute(transaction);
    if (Number(numAffectedRows) > 0) return false;
  }
  return true;
}

function otherSide(scope: ScopeRow): number {
  return scope.id * -scope.words_side;
}

async function change(
  transaction: Transaction<Tables>,
  scope: ScopeRow,
  values: Updateable<Tables['scope']>,
): Promise<void> {
  await transaction.updateTable('scope').set(values).where('id', '=', scope.id).execute();
}
