import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';

interface ModelDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
}

/**
 * Returns the embedding model of a workspace's vectors: the one that it should have, if it has no document yet. Null if
 * that model is not configured any more.
 */
export async function findServingModel(
  { database, embedder }: ModelDependencies,
  workspaceId: string,
): Promise<Embedder | null> {
  const id =
    (await findModelId(database, workspaceId)) ??
    (await chooseFirstModel({ database, embedder }, workspaceId));
  if (id === spaceOf(embedder)?.id) return embedder;
  return (await embedder.findModel?.(id)) ?? null;
}

async function findModelId(database: Kysely<Tables>, workspaceId: string): Promise<number | null> {
  const row = await database
    .selectFrom('corpus')
    .select('model_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.model_id ?? null;
}

async function chooseFirstModel(dependencies: ModelDependencies, workspaceId: string): Promise<number> {
  const { database, embedder } = dependencies;
  const { settings } = await database
    .selectFrom('workspace')
    .select(sql<string | null>`settings->>'embedding_model'`.as('settings'))
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const model = await selectWantedModel(embedder, settings);
  await database
    .insertInto('corpus')
    .values({
      workspace_id: workspaceId,
      version: sql`gen_random_uuid()`,
      model_id: spaceOf(model)?.id ?? 0,
    })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing())
    .execute();
  return (await findModelId(database, workspaceId)) ?? 0;
}

/** Returns the model that a workspace's setting names; the installation's without a setting, or if it is not configured. */
export async function selectWantedModel(embedder: Embedder, setting: string | null): Promise<Embedder> {
  const named = setting === null ? null : await embedder.selectModel?.(setting);
  return named ?? (await embedder.selectModel?.(null)) ?? embedder;
}

interface ChangeProgress {
  readonly done: number;
  readonly waiting: number;
}

/** Counts the passages of workspaces whose model is being changed, with and without a vector of the new one. */
export async function countChangingPassages(database: Kysely<Tables>): Promise<ChangeProgress> {
  const { rows } = await sql<ChangeProgress>`
    select count(*) filter (where embedded)::int as done, count(*) filter (where not embedded)::int as waiting
    from (
      select case
        when corpus.next_model_id = 0 then exists (select from chunk_vector where chunk_vector.chunk_id = chunk.id)
        else exists (
          select from model_vector
          where model_vector.chunk_id = chunk.id and model_vector.model_id = corpus.next_model_id
        )
      end as embedded
      from corpus
      join scope on scope.workspace_id = corpus.workspace_id
      join chunk on chunk.scope_id = scope.id
      where corpus.next_model_id is not null
    ) passages
  `.execute(database);
  return rows[0] ?? { done: 0, waiting: 0 };
}
