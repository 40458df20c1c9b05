import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { formatVector } from './postings.ts';
import { selectWantedModel } from './serving-model.ts';
import { chunksPerTransaction, insertVectors } from './write-chunks.ts';

interface ChangeDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Aborted when the process must stop; another process then continues. */
  readonly signal?: AbortSignal;
}

interface ModelChange {
  readonly workspaceId: string;
  readonly model: Embedder;
  readonly modelId: number;
}

/** A worker that died is replaced after this time. The vectors before a change are kept for as long after it. */
const RESERVATION_MS = 60_000;

/**
 * Gives each workspace vectors of the embedding model that it should have, beside those that it has. Searches go on with
 * the earlier ones, until the new ones are complete and all scopes of the workspace change together: no search compares
 * cosines of two models. The earlier vectors are then deleted. After a crash another worker continues.
 * Returns the number of workspaces that were changed.
 */
export async function changeModels(dependencies: ChangeDependencies): Promise<number> {
  const { database, clock, signal } = dependencies;
  await removeEarlierVectors(database, clock.now());
  let changed = 0;
  for (const workspace of await findWorkspaces(database, clock.now())) {
    signal?.throwIfAborted();
    const model = await selectWantedModel(dependencies.embedder, workspace.setting);
    const modelId = spaceOf(model)?.id ?? 0;
    if (modelId === workspace.modelId && workspace.nextModelId === null) continue;
    await changeModel(dependencies, { workspaceId: workspace.id, model, modelId });
    changed += 1;
  }
  return changed;
}

/** Lets a change that a dead process began continue at once. */
export async function releaseModelChanges(database: Kysely<Tables>): Promise<void> {
  await database
    .updateTable('corpus')
    .set({ reserved_until: null })
    .where('next_model_id', 'is not', null)
    .execute();
}

interface WorkspaceModel {
  readonly id: string;
  readonly setting: string | null;
  readonly modelId: number;
  readonly nextModelId: number | null;
}

function findWorkspaces(database: Kysely<Tables>, now: Date): Promise<readonly WorkspaceModel[]> {
  return database
    .selectFrom('corpus')
    .innerJoin('workspace', 'workspace.id', 'corpus.workspace_id')
    .select(['workspace.id', 'corpus.model_id as modelId', 'corpus.next_model_id as nextModelId'])
    .select(sql<string | null>`workspace.settings->>'embedding_model'`.as('setting'))
    .where((where) => where.or([where('reserved_until', 'is', null), where('reserved_until', '<=', now)]))
    .orderBy('workspace.id')
    .execute();
}

async function changeModel(dependencies: ChangeDependencies, change: ModelChange): Promise<void> {
  const { database, clock, log, signal } = dependencies;
  if (!(await reserve(dependencies, change))) return;
  const labels = { workspace: change.workspaceId, model: change.model.model };
  log.info(labels, 'change of embedding model started');
  let embedded = 0;
  do {
    for (let batch = await missingChunks(database, change); batch.length > 0; ) {
      signal?.throwIfAborted();
      await embedBatch(dependencies, change, batch);
      if (!(await renew(dependencies, change))) return;
      const before = embedded;
      embedded += batch.length;
      if (Math.floor(before / CHUNKS_PER_LINE) < Math.floor(embedded / CHUNKS_PER_LINE)) {
        log.info({ ...labels, chunks: embedded }, 'change of embedding model continues');
      }
      batch = await missingChunks(database, change);
    }
  } while (!(await switchWorkspace(database, change, keepUntil(clock))));
  log.info({ ...labels, chunks: embedded }, 'change of embedding model finished');
}

const CHUNKS_PER_LINE = 1_000;

const keepUntil = (clock: Clock) => new Date(clock.now().getTime() + RESERVATION_MS);

/** Returns false if another worker has the workspace. */
async function reserve(
  { database, clock }: ChangeDependencies,
  { workspaceId, modelId }: ModelChange,
): Promise<boolean> {
  const result = await database
    .updateTable('corpus')
    .set({ next_model_id: modelId, reserved_until: keepUntil(clock) })
    .where('workspace_id', '=', workspaceId)
    .where((where) =>
      where.or([where('reserved_until', 'is', null), where('reserved_until', '<=', clock.now())]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns false if the workspace was deleted, or another worker has it. */
async function renew(
  { database, clock }: ChangeDependencies,
  { workspaceId, modelId }: ModelChange,
): Promise<boolean> {
  const result = await database
    .updateTable('corpus')
    .set({ reserved_until: keepUntil(clock) })
    .where('workspace_id', '=', workspaceId)
    .where('next_model_id', '=', modelId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

type ChunkRow = Selectable<Tables['chunk']>;

/** Returns chunks of the workspace without a vector of the model, scope by scope. */
function missingChunks(
  database: Kysely<Tables>,
  { workspaceId, modelId }: Pick<ModelChange, 'workspaceId' | 'modelId'>,
): Promise<ChunkRow[]> {
  return database
    .selectFrom('chunk')
    .innerJoin('scope', 'scope.id', 'chunk.scope_id')
    .selectAll('chunk')
    .where('scope.workspace_id', '=', workspaceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          modelId === 0
            ? selectFrom('chunk_vector').whereRef('chunk_vector.chunk_id', '=', 'chunk.id')
            : selectFrom('model_vector')
                .whereRef('model_vector.chunk_id', '=', 'chunk.id')
                .where('model_vector.model_id', '=', modelId),
        ),
      ),
    )
    .orderBy('chunk.scope_id')
    .orderBy('chunk.id')
    .limit(chunksPerTransaction)
    .execute();
}

async function embedBatch(
  { database, signal }: ChangeDependencies,
  { model, modelId }: ModelChange,
  chunks: readonly ChunkRow[],
): Promise<void> {
  const vectors = await model.embedPassages(
    chunks.map((chunk) => indexedText(chunk.title, chunk.headings, chunk.body)),
    { signal },
  );
  const numbered = chunks.map((chunk, index) => ({ chunk, vector: vectors[index] }));
  for (const [scopeId, some] of Map.groupBy(numbered, ({ chunk }) => chunk.scope_id)) {
    await database.transaction().execute(async (transaction) => {
      const inGraph = await lockScope(transaction, scopeId);
      // Documents may have been removed meanwhile.
      const ids = some.map(({ chunk }) => chunk.id);
      const rows = await transaction
        .selectFrom('chunk')
        .select('id')
        .where('id', 'in', ids)
        .forShare()
        .execute();
      const left = new Set(rows.map(({ id }) => id));
      const written = some.flatMap(({ chunk, vector }) =>
        vector !== undefined && left.has(chunk.id) ? { chunkId: chunk.id, vector: formatVector(vector) } : [],
      );
      await insertVectors(transaction, { scopeId, modelId, inGraph }, written);
    });
  }
}

async function lockScope(transaction: Transaction<Tables>, scopeId: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('scope')
    .select('graph')
    .where('id', '=', scopeId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && row.graph !== 'none';
}

/** Returns false if chunks were added meanwhile. The locks keep indexing workers from adding more until the commit. */
async function switchWorkspace(
  database: Kysely<Tables>,
  { workspaceId, modelId }: ModelChange,
  until: Date,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('scope')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id')
      .forUpdate()
      .execute();
    if ((await missingChunks(transaction, { workspaceId, modelId })).length > 0) return false;
    await transaction
      .updateTable('corpus')
      .set({
        ...{ model_id: modelId, next_model_id: null, reserved_until: until },
        version: sql`gen_random_uuid()`,
      })
      .where('workspace_id', '=', workspaceId)
      .execute();
    return true;
  });
}

/**
 * Deletes the vectors from before a change, a while after it: a question that was embedded with the earlier model is
 * answered by then.
 */
async function removeEarlierVectors(database: Kysely<Tables>, now: Date): Promise<void> {
  const rows = await database
    .selectFrom('corpus')
    .select(['workspace_id', 'model_id'])
    .where('next_model_id', 'is', null)
    .where('reserved_until', '<=', now)
    .execute();
  for (const { workspace_id: workspaceId, model_id: modelId } of rows) {
    while ((await removeSomeVectors(database, workspaceId, modelId)) > 0);
    await database
      .updateTable('corpus')
      .set({ reserved_until: null })
      .where('workspace_id', '=', workspaceId)
      .where('model_id', '=', modelId)
      .where('next_model_id', 'is', null)
      .execute();
  }
}

const REMOVED_AT_ONCE = 200;

async function removeSomeVectors(
  database: Kysely<Tables>,
  workspaceId: string,
  modelId: number,
): Promise<number> {
  const result = await sql`
    delete from model_vector where (chunk_id, model_id) in (
      select chunk_id, model_id from model_vector join scope on scope.id = model_vector.scope_id
      where scope.workspace_id = ${workspaceId} and model_id <> ${modelId} limit ${REMOVED_AT_ONCE}
    )
  `.execute(database);
  if (modelId === 0) return Number(result.numAffectedRows ?? 0n);
  const builtIn = await sql`
    delete from chunk_vector where chunk_id in (
      select chunk_id from chunk_vector join scope on scope.id = chunk_vector.scope_id
      where scope.workspace_id = ${workspaceId} limit ${REMOVED_AT_ONCE}
    )
  `.execute(database);
  return Number(result.numAffectedRows ?? 0n) + Number(builtIn.numAffectedRows ?? 0n);
}
