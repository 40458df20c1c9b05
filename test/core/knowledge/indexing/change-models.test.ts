import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import { Corpora } from '../../../../core/knowledge/corpus/corpora.ts';
import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';
import { EmbeddingModels } from '../../../../core/knowledge/embedding/embedding-models.ts';
import { changeModels } from '../../../../core/knowledge/indexing/change-models.ts';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { buildVectorGraph } from '../../../../core/knowledge/indexing/write-chunks.ts';
import { searchKnowledge } from '../../../../core/knowledge/search.ts';
import { sizedEmbedder } from '../../../helpers/models/embedding/sized-embedder.ts';
import { wordEmbedder } from '../../../helpers/models/embedding/word-embedder.ts';
import { lendReader } from '../../../helpers/models/lend-reader.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const log = createLog('silent');
const builtIn: Embedder = { ...wordEmbedder(), engine: 'onnx' };
const later = { now: () => new Date(systemClock.now().getTime() + 120_000) };

describe.each(testEngines)('a change of the embedding model on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const { kysely } = database;

  /** An installation whose models are these: the first is its own. */
  const openModels = (...models: readonly Embedder[]) =>
    EmbeddingModels.open({
      ...{ database: kysely, builtInName: builtIn.model, log, main: models[0] ?? builtIn },
      open: async (name) => [...models, builtIn].find(({ model }) => model === name) ?? null,
    });
  const ingest = async (embedder: Embedder, workspaceId: string, text: string) => {
    const id = await base.store(workspaceId, text);
    await ingestDocument({ database: kysely, embedder, reader: lendReader(), clock: systemClock }, id);
    return id;
  };
  const search = async (
    embedder: Embedder,
    workspaceId: string,
    {
      documentIds = null,
      inMemory = false,
    }: { documentIds?: readonly string[] | null; inMemory?: boolean } = {},
  ) => {
    const corpora = new Corpora({
      ...{ database: kysely, clock: systemClock, log, bytes: inMemory ? 2 ** 24 : 0 },
      worth: { questions: 1, chunksPerQuestion: 1_000 },
    });
    await corpora.current(workspaceId);
    await corpora.idle();
    const { ranked } = await searchKnowledge(
      { database: kysely, embedder, corpora },
      { workspaceId, question: 'Which kettle has number 8?', audience: [], documentIds },
    );
    return ranked.map(({ body, parts }) => [body, parts.cosine] as const);
  };
  const fill = async (embedder: Embedder, workspaceId: string, count = 33) => {
    for (let index = 0; index < count; index += 1) {
      await ingest(
        embedder,
        workspaceId,
        `## Page ${index}\n\nA kettle of steel with number ${index} on its lid.`,
      );
    }
  };
  const vectorsOf = async (workspaceId: string) => {
    const { rows } = await sql<{ model: number; count: number }>`
      select model, count(*)::int as count from (
        select 0 as model, scope_id from chunk_vector union all select model_id, scope_id from model_vector
      ) vectors join scope on scope.id = vectors.scope_id where workspace_id = ${workspaceId}
      group by model order by model
    `.execute(kysely);
    return rows.map(({ model, count }) => [model, count]);
  };

  test('searches go on with the earlier vectors until all new ones are there', async () => {
    const workspace = await base.workspace();
    await fill(builtIn, workspace);
    const before = await search(builtIn, workspace);
    const next = sizedEmbedder({ model: `lab:next-${engine}`, dimensions: 1_000 });
    const models = await openModels(next);
    let batches = 0;
    next.onBatch = async () => {
      batches += 1;
      if (batches === 3) expect(await search(models, workspace)).toEqual(before);
    };
    await changeModels({ database: kysely, embedder: models, clock: systemClock, log });
    expect([batches, next.embedded.length]).toEqual([3, 33]);
    const id = models.space?.id ?? 0;
    expect(await vectorsOf(workspace)).toEqual([
      [0, 33],
      [id, 33],
    ]);
    const after = await search(models, workspace);
    expect(after).not.toEqual(before);
    expect(after[0]?.[0]).toContain('number 8 ');
    await changeModels({ database: kysely, embedder: models, clock: later, log });
    expect(await vectorsOf(workspace)).toEqual([[id, 33]]);
    expect(await search(models, workspace)).toEqual(after);
    await ingest(models, workspace, '## New\n\nA new kettle.');
    expect(await vectorsOf(workspace)).toEqual([[id, 34]]);
  });

  test('a worker that dies in the middle is replaced, and what it embedded stays', async () => {
    const workspace = await base.workspace();
    for (let index = 0; index < 24; index += 1) {
      await ingest(builtIn, workspace, `## Cup ${index}\n\nA cup of tin, number ${index}.`);
    }
    const next = sizedEmbedder({ model: `lab:dies-${engine}`, dimensions: 64 });
    const models = await openModels(next);
    const change = (clock = systemClock) => changeModels({ database: kysely, embedder: models, clock, log });
    const cups = () => next.embedded.filter((text) => text.includes('cup of tin'));
    next.onBatch = () => {
      if (cups().length >= 16) throw new RangeError('killed');
    };
    await expect(change()).rejects.toThrow('killed');
    next.onBatch = () => {};
    await change();
    expect(cups()).toHaveLength(16);
    await change(later);
    expect(cups()).toHaveLength(24);
    expect(await vectorsOf(workspace)).toContainEqual([models.space?.id, 24]);
  });

  test('memory, named documents and the graph index find the same, with more than 2,000 dimensions too', async () => {
    for (const dimensions of [40, 3_000]) {
      const workspace = await base.workspace();
      const models = await openModels(sizedEmbedder({ model: `lab:${dimensions}-${engine}`, dimensions }));
      await fill(models, workspace, 12);
      const compared = await search(models, workspace);
      expect(compared).toHaveLength(12);
      const rows = await kysely
        .selectFrom('document')
        .select('id')
        .where('workspace_id', '=', workspace)
        .execute();
      const same = async (options: Parameters<typeof search>[2]) => {
        const other = new Map(await search(models, workspace, options));
        for (const [body, cosine] of compared.slice(0, 10)) expect(other.get(body)).toBeCloseTo(cosine, 2);
      };
      await same({ documentIds: rows.map(({ id }) => id) });
      await same({ inMemory: true });
      const scope = await kysely
        .selectFrom('scope')
        .select('id')
        .where('workspace_id', '=', workspace)
        .executeTakeFirstOrThrow();
      await buildVectorGraph(kysely, scope.id, 10);
      await same({});
    }
  });

  test('a workspace has the model of its setting, and keeps it while another is not configured', async () => {
    const workspace = await base.workspace();
    const own = sizedEmbedder({ model: `lab:own-${engine}`, dimensions: 32 });
    const models = await openModels(builtIn, own);
    await fill(models, workspace, 3);
    expect(await vectorsOf(workspace)).toEqual([[0, 3]]);
    const set = (setting: string) =>
      kysely
        .updateTable('workspace')
        .set({ settings: JSON.stringify({ embedding_model: setting }) })
        .where('id', '=', workspace)
        .execute();
    await set(own.model);
    await changeModels({ database: kysely, embedder: models, clock: later, log });
    expect(own.embedded).toHaveLength(3);
    const withoutIt = await openModels(builtIn);
    expect((await search(withoutIt, workspace)).every(([, cosine]) => cosine === 0)).toBe(true);
    await ingest(withoutIt, workspace, '## New\n\nA new kettle.');
    expect((await search(models, workspace)).length).toBe(4);
  });
});
