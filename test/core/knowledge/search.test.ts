import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { searchRules } from '../../../core/knowledge/rules.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge/knowledge-base.ts';

const returns = '## Returns\n\nYou can send a kettle back within thirty days of delivery.';
const staff = '## Returns for staff\n\nStaff send a kettle back within ninety days of delivery.';

const places = testEngines.flatMap((engine) => [
  { engine, inMemory: false },
  { engine, inMemory: true },
]);

describe.each(places)('searchKnowledge on $engine, in memory: $inMemory', async ({ engine, inMemory }) => {
  const base = new KnowledgeBase(await openTestDatabase(engine), { inMemory });
  const bodies = (found: Awaited<ReturnType<KnowledgeBase['search']>>) => found.map((chunk) => chunk.body);

  test('a passage has its place in the document, in any search', async () => {
    const workspace = await base.workspace();
    const csv = 'Kettle;Colour;Price\nSmall kettle;red;9\nLarge kettle;blue;12\n';
    const id = await base.add(workspace, csv, { contentType: 'text/csv' });
    const place = { kind: 'rows', sheet: null, from: 2, to: 3 };
    expect(await base.search(workspace, 'large kettle')).toMatchObject([{ place }]);
    expect(await base.search(workspace, 'large kettle', { documentIds: [id] })).toMatchObject([{ place }]);
  });

  test('finds a passage with its document, heading path and score parts', async () => {
    const workspace = await base.workspace();
    const id = await base.add(workspace, returns, { title: 'Help', url: 'https://help.example/returns' });
    const [best] = await base.search(workspace, 'How long may I send back a kettle?');
    expect(best).toMatchObject({
      documentId: id,
      title: 'Help',
      url: 'https://help.example/returns',
      body: 'You can send a kettle back within thirty days of delivery.',
    });
    expect(best?.headings).toEqual(['Returns']);
    expect(best?.parts.cosine).toBeGreaterThan(0);
    expect(best?.bm25).toBeGreaterThan(0);
  });

  test("words alone answer while the provider's embedding model is unavailable", async () => {
    const workspace = await base.workspace();
    await base.add(workspace, returns);
    base.embedder.onQuestion = () => Promise.reject(new AppError('provider_down'));
    const [best] = await base.search(workspace, 'How long after delivery may I send back a kettle?');
    expect(best?.body).toContain('thirty days');
    expect(best?.parts.cosine).toBe(0);
    expect(best?.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
    base.embedder.onQuestion = () => {};
  });

  test("a question that words alone do not answer fails with the provider's error", async () => {
    const workspace = await base.workspace();
    await base.add(workspace, returns);
    base.embedder.onQuestion = () => Promise.reject(new AppError('provider_down'));
    for (const question of ['May I get a refund for my pot?', 'xylophone', 'kettle colours']) {
      await expect(base.search(workspace, question), question).rejects.toMatchObject({
        code: 'provider_down',
      });
    }
    await expect(base.search(await base.workspace(), 'kettle')).rejects.toMatchObject({
      code: 'provider_down',
    });
    base.embedder.onQuestion = () => Promise.reject(new RangeError('a fault of ours'));
    await expect(base.search(workspace, 'send a kettle back')).rejects.toThrow('a fault of ours');
    base.embedder.onQuestion = () => {};
  });

  test('a misspelt question finds the same as it does well spelt', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, returns);
    const asked: string[] = [];
    base.embedder.onQuestion = (text) => {
      asked.push(text);
    };
    const [misspelt] = await base.search(workspace, 'how long befor i can no longer send back teh kettel');
    const [best] = await base.search(workspace, 'how long before i can no longer send back the kettle');
    base.embedder.onQuestion = () => {};
    expect(misspelt).toEqual(best);
    expect(misspelt?.bm25).toBeGreaterThan(0);
    expect(asked).toHaveLength(3);
  });

  test('a workspace without documents yields no passages', async () => {
    expect(await base.search(await base.workspace(), 'kettle')).toEqual([]);
  });

  test('another workspace is never searched and affects no score', async () => {
    const [mine, theirs] = [await base.workspace(), await base.workspace()];
    await base.add(mine, returns);
    const before = await base.search(mine, 'send a kettle back');
    for (const name of ['kettle', 'delivery', 'thirty days']) {
      await base.add(theirs, `# ${name}\n\nEverything about ${name}: send it back, send a kettle back.`);
    }
    expect(await base.search(mine, 'send a kettle back')).toEqual(before);
  });

  test('a tagged document is found only with one of its tags and affects no other score', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, returns);
    const before = await base.search(workspace, 'send a kettle back');
    await base.add(workspace, staff, { audience: ['staff', 'partner'] });
    expect(await base.search(workspace, 'send a kettle back')).toEqual(before);
    const forStaff = await base.search(workspace, 'send a kettle back', { audience: ['staff'] });
    expect(bodies(forStaff).join()).toContain('ninety days');
    expect(forStaff).toHaveLength(2);
    expect(await base.search(workspace, 'send a kettle back', { audience: ['press'] })).toEqual(before);
  });

  test('a search limited to documents finds only those', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, returns);
    const other = await base.add(workspace, '# Opening hours\n\nThe shop opens at nine.');
    const found = await base.search(workspace, 'send a kettle back', { documentIds: [other] });
    expect(bodies(found)).toEqual(['The shop opens at nine.']);
    expect(found[0]?.bm25).toBe(0);
  });

  test("the id of another workspace's document finds nothing", async () => {
    const [mine, theirs] = [await base.workspace(), await base.workspace()];
    const foreign = await base.add(theirs, returns);
    expect(await base.search(mine, 'kettle', { documentIds: [foreign] })).toEqual([]);
  });

  test('BM25 does not depend on the terms that select candidates', async () => {
    const workspace = await base.workspace();
    for (let index = 0; index < 30; index += 1)
      await base.add(workspace, `# Page ${index}\n\nA kettle, number ${index}.`);
    const all = await base.search(workspace, 'kettle number 7');
    const alone = await base.search(workspace, 'kettle number 7', {
      documentIds: [all[0]?.documentId ?? ''],
    });
    expect(alone[0]?.bm25).toBeCloseTo(all[0]?.bm25 ?? 0, 9);
  });
});
