import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../../core/base/log.ts';
import { fillSentenceVectors } from '../../../../core/knowledge/indexing/fill-sentence-vectors.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const pages = Array.from(
  { length: 20 },
  (_, index) => `## Part ${index}\n\nThe kettle has a lid of glass. Part ${index} of it is made of steel.`,
);

describe.each(testEngines)('fillSentenceVectors on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database, { inMemory: true });
  const fill = (signal = new AbortController().signal) =>
    fillSentenceVectors({ database, embedder: base.embedder, log: createLog('silent'), signal });
  const ask = async (workspace: string) => {
    const ranked = await base.search(workspace, 'What is the lid of the kettle made of?');
    return ranked.map(({ chunkId, unitCosines, score }) => ({ chunkId, unitCosines, score }));
  };

  test('documents without sentence vectors answer, and rank like new ones once they have them', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, pages.join('\n\n'));
    const before = await ask(workspace);
    await sql`delete from sentence_vector`.execute(kysely);
    await sql`update corpus set version = gen_random_uuid()`.execute(kysely);
    const meanwhile = await ask(workspace);
    expect(meanwhile).toHaveLength(before.length);
    expect(meanwhile.every(({ unitCosines }) => unitCosines === null)).toBe(true);
    await fill();
    expect(await ask(workspace)).toEqual(before);
  });

  test('only chunks without vectors are embedded', async () => {
    await sql`delete from sentence_vector where chunk_id = (select min(chunk_id) from sentence_vector)`.execute(
      kysely,
    );
    base.embedder.embedded.length = 0;
    await fill();
    expect(base.embedder.embedded).toHaveLength(2);
    await fill();
    expect(base.embedder.embedded).toHaveLength(2);
  });

  test.runIf(engine === 'postgres')(
    'one process does it at a time, and another goes on after it',
    async () => {
      await sql`delete from sentence_vector`.execute(kysely);
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const first = {
        ...base.embedder,
        async embedPassages(...given: Parameters<typeof base.embedder.embedPassages>) {
          begun.resolve();
          await held.promise;
          return base.embedder.embedPassages(...given);
        },
      };
      const { signal } = new AbortController();
      const firstFills = fillSentenceVectors({ database, embedder: first, log: createLog('silent'), signal });
      await begun.promise;
      base.embedder.embedded.length = 0;
      expect(await fill()).toBe(false);
      expect(base.embedder.embedded).toEqual([]);
      held.resolve();
      expect(await firstFills).toBe(true);
      const once = base.embedder.embedded.length;
      expect(once).toBeGreaterThan(20);
      expect(await fill()).toBe(true);
      expect(base.embedder.embedded).toHaveLength(once);
    },
  );

  test('stops when the process must stop', async () => {
    await sql`delete from sentence_vector`.execute(kysely);
    const stopping = new AbortController();
    base.embedder.onPassage = () => stopping.abort();
    await fill(stopping.signal);
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from chunk)::int - (select count(*) from sentence_vector)::int as left`.execute(
      kysely,
    );
    expect(rows[0]?.left).toBe(4);
  });
});
