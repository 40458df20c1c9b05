import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { buildVectorGraph } from '../../../../core/knowledge/indexing/write-chunks.ts';
import { analyseQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';
import { encodeVector } from '../../../../core/knowledge/vectors.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

interface Found {
  readonly chunk_id: number;
  readonly bm25: number;
  readonly cosine: number | null;
}

interface Asked {
  readonly postingBudget: number;
  readonly documentIds?: readonly string[] | null;
  /** 0 asks without a vector. */
  readonly vectorWeight?: number;
}

describe.each(testEngines)('find_candidates on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const workspace = await base.workspace();
  for (let index = 0; index < 40; index += 1) {
    const word = index % 4 === 0 ? 'glass' : 'steel';
    await base.add(
      workspace,
      `## Page ${index}\n\nA kettle of ${word} with number ${index} on its lid, made for tea.`,
    );
  }
  const question = 'Which kettle of glass has number 8 on its lid?';
  const vector = encodeVector(await base.embedder.embedQuery(question));

  const find = async ({ postingBudget, documentIds = null, vectorWeight = 0.6 }: Asked): Promise<Found[]> => {
    const terms = [...analyseQuestion(question).hashes];
    const { rows } = await sql<{ told: { found: Found[] } }>`
      select find_candidates(
        ${workspace}::text, '{}'::text[], ${documentIds}::text[], ${terms}::int[],
        ${vectorWeight === 0 ? null : vector}::vector, ${postingBudget}::int, ${vectorWeight}::float8, 0) as told
    `.execute(database.kysely);
    return (rows[0]?.told.found ?? []).sort((one, other) => one.chunk_id - other.chunk_id);
  };

  test('BM25 counts all words even if only the rarest select candidates', async () => {
    const all = await find({ postingBudget: 4_000 });
    const pruned = await find({ postingBudget: 3 });
    expect(pruned).toHaveLength(all.length);
    for (const [index, row] of pruned.entries()) expect(row.bm25).toBeCloseTo(all[index]?.bm25 ?? -1, 9);
  });

  test('a search limited to all document ids finds the same as an unlimited one', async () => {
    const documents = await database.kysely.selectFrom('document').select('id').execute();
    const documentIds = documents.map(({ id }) => id);
    const all = await find({ postingBudget: 4_000 });
    const named = await find({ postingBudget: 4_000, documentIds });
    expect(all).toHaveLength(40);
    expect(named.map((row) => row.chunk_id)).toEqual(all.map((row) => row.chunk_id));
    for (const [index, row] of named.entries()) {
      expect(row.bm25).toBeCloseTo(all[index]?.bm25 ?? -1, 9);
      expect(row.cosine).toBeCloseTo(all[index]?.cosine ?? -1, 6);
    }
    expect(await find({ postingBudget: 4_000, documentIds: documentIds.slice(0, 3) })).toHaveLength(3);
  });

  test('by words alone, only the words choose candidates', async () => {
    const alone = await find({ postingBudget: 4_000, vectorWeight: 0 });
    expect(alone).toHaveLength(40);
    expect(alone.every(({ cosine }) => cosine === null)).toBe(true);
    const withVectors = new Map(
      (await find({ postingBudget: 4_000 })).map((row) => [row.chunk_id, row.bm25]),
    );
    for (const row of alone) expect(row.bm25).toBeCloseTo(withVectors.get(row.chunk_id) ?? -1, 9);
    // The budget reads one posting: the number 8, which one page has.
    expect(await find({ postingBudget: 1, vectorWeight: 0 })).toHaveLength(1);
  });

  test('the graph index finds the same as comparing every vector', async () => {
    const compared = await find({ postingBudget: 4_000 });
    const { id } = await database.kysely
      .selectFrom('scope')
      .select('id')
      .where('workspace_id', '=', workspace)
      .executeTakeFirstOrThrow();
    await buildVectorGraph(database.kysely, id, 10);
    const { graph } = await database.kysely
      .selectFrom('scope')
      .select('graph')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(graph).toBe('built');
    const walked = await find({ postingBudget: 4_000 });
    expect(walked.map((row) => row.chunk_id)).toEqual(compared.map((row) => row.chunk_id));
    for (const [index, row] of walked.entries()) {
      expect(row.cosine).toBeCloseTo(compared[index]?.cosine ?? -1, 6);
    }
    await base.add(workspace, '## New\n\nA kettle of glass, added when the graph was built.');
    expect((await base.search(workspace, 'kettle added when the graph was built'))[0]?.body).toContain(
      'added',
    );
  });
});
