import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { startEmbeddingProvider } from '../../helpers/models/providers/embedding-provider.ts';
import { makeFirstWorkspace } from '../../helpers/servers/processes/make-first-workspace.ts';
import { runProduct } from '../../helpers/servers/processes/run-product.ts';
import { testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const folder = testDataFolder();
const adminToken = 'a-token-for-the-tests';
const builtIn = { DATA_DIR: folder, ADMIN_TOKEN: adminToken, EMBEDDING_ENGINE: 'auto' };

/** Passages that the provider has embedded; it answers no further batch while it holds. */
const embedded: string[] = [];
const held = Promise.withResolvers<void>();
let isHolding = true;
const { environment } = await startEmbeddingProvider({
  dimensions: 1_024,
  async onTexts(texts) {
    const ours = texts.filter((text) => text.includes('The kettle'));
    if (isHolding && ours.length > 0 && embedded.length > 0) {
      held.resolve();
      await new Promise<never>(() => {
        // Never answered: the process that asked is killed.
      });
    }
    embedded.push(...ours);
  },
});
const changed = { ...builtIn, ...environment };

const content = Array.from(
  { length: 40 },
  (_, part) =>
    `## Part ${part}\n\nThe kettle has part ${part} below its lid, ${'which is of steel, '.repeat(12)}.\n\n`,
).join('');

test('a kill in the middle of a change of the embedding model loses no passage and embeds none twice', async () => {
  const { workspaceId, key } = await makeFirstWorkspace(folder);
  let parley = await runProduct(builtIn);
  const added = await fetch(`${parley.address}/admin/v1/workspaces/${workspaceId}/documents?wait=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Kettle', content, content_type: 'text/markdown' }),
  });
  expect(await added.json()).toMatchObject({ status: 'indexed' });
  await parley.end('SIGTERM');

  parley = await runProduct(changed);
  await held.promise;
  expect(await ask(parley.address, key)).toContain('part 7');
  await parley.end('SIGKILL');
  const before = embedded.length;
  expect(before).toBe(16);

  isHolding = false;
  parley = await runProduct(changed);
  await expect.poll(() => embedded.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(40);
  await expect
    .poll(() => waiting(parley.address), { timeout: 60_000 })
    .toEqual(['embedding_change_passages{state="done"} 0', 'embedding_change_passages{state="waiting"} 0']);
  expect(await parley.end('SIGTERM')).toBe(0);
  expect(new Set(embedded).size).toBe(embedded.length);
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  const { rows } = await sql<object>`
    select count(*)::int as chunks, count(model_vector.chunk_id)::int as vectors,
           (select count(*)::int from corpus where model_id = 0) as "notChanged"
    from chunk left join model_vector on model_vector.chunk_id = chunk.id
  `.execute(database.kysely);
  await database.close();
  expect(rows).toEqual([{ chunks: embedded.length, vectors: embedded.length, notChanged: 0 }]);
}, 300_000);

async function ask(address: string, key: string): Promise<string> {
  const response = await fetch(`${address}/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Where does the kettle have part 7?' }),
  });
  return z.object({ answer: z.string() }).parse(await response.json()).answer;
}

async function waiting(address: string): Promise<string[]> {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  return (await response.text()).split('\n').filter((line) => line.startsWith('embedding_change_passages{'));
}
