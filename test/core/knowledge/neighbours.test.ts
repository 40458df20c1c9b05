import { describe, expect, test } from 'vitest';
import { findNeighbours } from '../../../core/knowledge/neighbours.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge/knowledge-base.ts';

const words = (count: number, about: string) => `${about} ${'lorem ipsum dolor '.repeat(count)}`.trim();
/** Four passages under one heading, and one under the next. */
const text = [
  '## Kettles',
  ...['glass', 'steel', 'copper', 'iron'].map((material) => words(40, `A kettle of ${material}.`)),
  '## Pans',
  words(5, 'A pan of iron.'),
].join('\n\n');

describe.each(testEngines)('passages around one that was found, in %s', async (engine) => {
  const database = await openTestDatabase(engine);
  describe.each([false, true])('in memory: %s', async (inMemory) => {
    const base = new KnowledgeBase(database, { inMemory });
    const { corpora } = base.dependencies;
    const workspaceId = await base.workspace();
    await base.add(workspaceId, text, { title: 'Kitchen', url: 'https://shop.example/kitchen' });
    await base.add(workspaceId, '## Kettles\n\nA kettle of another page.', { title: 'Other' });
    const find = async (question: string, owner = workspaceId) => {
      const [hit] = await base.search(workspaceId, question);
      const chunkIds = hit === undefined ? [] : [hit.chunkId];
      const near = await findNeighbours(
        { database: database.kysely, corpora },
        { workspaceId: owner, chunkIds },
      );
      return near.toSorted((one, other) => one.ordinal - other.ordinal);
    };

    test('are those of its document under the same headings, itself included', async () => {
      await find('kettle of copper');
      expect(corpora.loaded(workspaceId) !== null).toBe(inMemory);
      const near = await find('kettle of copper');
      expect(near.map(({ body }) => body.slice(0, 15))).toEqual([
        'A kettle of gla',
        'A kettle of ste',
        'A kettle of cop',
        'A kettle of iro',
      ]);
      expect(near[0]).toMatchObject({
        ...{ title: 'Kitchen', url: 'https://shop.example/kitchen', headings: ['Kettles'], place: null },
        changedAt: expect.any(Date),
      });
    });

    test('end with the headings', async () => {
      expect((await find('pan of iron')).map(({ headings }) => headings)).toEqual([['Pans']]);
    });

    test('are not those of another workspace', async () => {
      expect(await find('pan of iron', await base.workspace())).toEqual([]);
    });
  });
});
