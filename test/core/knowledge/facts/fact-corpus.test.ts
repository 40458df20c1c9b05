import { expect, test } from 'vitest';
import { checkNextDocument } from '../../../../core/knowledge/facts/check-document.ts';
import { FactConflicts } from '../../../../core/knowledge/facts/fact-conflicts.ts';
import { makeFactCorpus, pairId } from '../../../eval/facts/fact-corpus.ts';
import { developed } from '../../../eval/facts/templates.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

/**
 * The embedding model is a stand-in, whose vectors are the words. `npm run eval -- facts` measures a thousand pages
 * with the model.
 */
test('of planted contradictions and texts that are out of date, most are found and little else', async () => {
  const database = await openTestDatabase('embedded');
  const { kysely } = database;
  const clock = { now: () => new Date('2026-11-27T12:00:00Z') };
  const base = new KnowledgeBase(database);
  const workspaceId = await base.workspace();
  const corpus = makeFactCorpus(developed, { seed: 3, pages: 0, templates: 10, stale: 10 });
  const pageOf = new Map<string, string>();
  for (const { id, title, text } of corpus.pages)
    pageOf.set(await base.add(workspaceId, text, { title }), id);
  while ((await checkNextDocument({ database: kysely, clock })) !== null);

  const { items } = await new FactConflicts({ database: kysely, clock }).list(workspaceId, {
    ...{ status: 'open', limit: 100 },
  });
  const [pairs, past] = [new Set<string>(), new Set<string>()];
  for (const { sides } of items) {
    const [one = '', other] = sides.map(({ documentId }) => pageOf.get(documentId) ?? '');
    if (other === undefined) past.add(one);
    else pairs.add(pairId(one, other));
  }
  const right = [...pairs].filter((pair) => corpus.planted.has(pair)).length;
  expect(corpus.planted.size).toBe(20);
  expect(right / corpus.planted.size).toBeGreaterThanOrEqual(0.8);
  expect(right / pairs.size).toBeGreaterThanOrEqual(0.8);
  expect(past).toEqual(corpus.stale);
});
