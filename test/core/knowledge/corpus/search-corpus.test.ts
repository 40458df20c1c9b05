import { describe, expect, test } from 'vitest';
import { loadCorpus } from '../../../../core/knowledge/corpus/load-corpus.ts';
import { searchCorpus } from '../../../../core/knowledge/corpus/search-corpus.ts';
import { analyseQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';
import { findCandidates } from '../../../../core/knowledge/search.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const materials = ['glass', 'steel', 'copper'];
const questions = [
  'Which kettle of glass has number 8 on its lid?',
  'copper',
  'kettle tea kettle lid',
  'What do the staff pay for a kettle of steel?',
  'Nothing of this occurs anywhere: zebra crossing',
];
const audiences = [[], ['staff'], ['partner', 'staff'], ['press']];
const asked = questions.flatMap((question) => audiences.map((audience) => ({ question, audience })));

describe.each(testEngines)('searchCorpus with a corpus loaded from %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const workspaceId = await base.workspace();
  for (let index = 0; index < 36; index += 1) {
    const audience = [[], [], ['staff'], ['partner', 'press']][index % 4] ?? [];
    const tea = 'Made for tea. '.repeat(index % 5);
    const text = `## Page ${index}\n\nA kettle of ${materials[index % 3]} with number ${index} on its lid. ${tea}`;
    await base.add(workspaceId, text, { audience, url: `https://shop.example/${index}` });
  }
  const replaced = await base.add(workspaceId, '# Old\n\nAn old kettle.', { url: 'https://shop.example/1' });
  const deleted = await base.add(workspaceId, '# Gone\n\nA kettle that is gone.');
  await base.documents.delete(workspaceId, deleted);
  await base.ingest(deleted);
  const corpus = await loadCorpus(database.kysely, { workspaceId, modelId: 0 }, 100);

  const model = { model: base.embedder.model };
  const weights = [0.6, 0.12, null];
  test.each(asked.flatMap((one) => weights.map((weight) => ({ ...one, weight }))))(
    'finds the same as the database for "$question" of $audience with a vector weight of $weight',
    async ({ question, audience, weight }) => {
      if (corpus === null) throw new Error('it was not loaded');
      const values = await base.embedder.embedQuery(question);
      const vector = weight === null ? null : { values, weight };
      const query = { audience, terms: analyseQuestion(question).hashes, vector, ...model };
      const there = await findCandidates(database.kysely, { ...query, workspaceId, documentIds: null });
      const here = searchCorpus(corpus, query);
      expect(here.statistics).toEqual(there.statistics);
      expect(here.passages).toHaveLength(there.passages.length);
      const expected = new Map(there.passages.map((passage) => [passage.chunkId, passage]));
      for (const { bm25, cosine, ...passage } of here.passages) {
        const {
          bm25: itsBm25,
          cosine: itsCosine,
          ...same
        } = expected.get(passage.chunkId) ?? { bm25: -1, cosine: -1 };
        expect(passage).toEqual(same);
        expect(passage.unitCosines === null).toBe(weight === null);
        expect(bm25).toBeCloseTo(itsBm25, 9);
        expect(cosine === null).toBe(weight === null);
        if (cosine === null) expect(itsCosine).toBeNull();
        else expect(cosine).toBeCloseTo(itsCosine ?? -1, 6);
      }
    },
  );

  test('by words alone, a passage without a word of the question is no candidate', async () => {
    if (corpus === null) throw new Error('it was not loaded');
    const ask = async (question: string, documentIds: readonly string[] | null) => {
      const query = { audience: [], terms: analyseQuestion(question).hashes, vector: null, ...model };
      const there = await findCandidates(database.kysely, { ...query, workspaceId, documentIds });
      const here = documentIds === null ? searchCorpus(corpus, query) : there;
      return [here, there].map(({ passages }) => passages.map(({ body }) => body));
    };
    expect(await ask('zebra', null)).toEqual([[], []]);
    expect((await ask('old', null))[0]).toEqual(['An old kettle.']);
    expect((await ask('old', null))[1]).toEqual(['An old kettle.']);
    expect((await ask('old kettle', [replaced]))[1]).toEqual(['An old kettle.']);
    expect((await ask('zebra', [replaced]))[1]).toEqual([]);
  });

  test('compares no sentence vectors of another model', async () => {
    if (corpus === null) throw new Error('it was not loaded');
    const vector = { values: await base.embedder.embedQuery('kettle'), weight: 0.6, modelId: 1 };
    const query = { audience: [], terms: analyseQuestion('kettle').hashes, vector };
    const there = await findCandidates(database.kysely, { ...query, workspaceId, documentIds: null });
    for (const { passages } of [there, searchCorpus(corpus, query)]) {
      expect(passages.length).toBeGreaterThan(0);
      expect(passages.every(({ unitCosines }) => unitCosines === null)).toBe(true);
    }
  });

  test('omits replaced and deleted documents', () => {
    const bodies = corpus?.scopes.flatMap(({ passages }) => passages.map(({ body }) => body)) ?? [];
    expect(bodies).toContain('An old kettle.');
    expect(bodies.join()).not.toContain('number 1 on');
    expect(bodies.join()).not.toContain('gone');
    expect(replaced).toMatch(/^doc_/);
  });

  test('does not load a workspace with too many chunks', async () => {
    expect(await loadCorpus(database.kysely, { workspaceId, modelId: 0 }, 35)).toBeNull();
  });
});
