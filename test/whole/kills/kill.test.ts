import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { makeFirstWorkspace } from '../../helpers/servers/processes/make-first-workspace.ts';
import { type RunningProduct, runProduct } from '../../helpers/servers/processes/run-product.ts';
import { testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const folder = testDataFolder();
const adminToken = 'a-token-for-the-tests';
const environment = { DATA_DIR: folder, ADMIN_TOKEN: adminToken, EMBEDDING_ENGINE: 'auto' };

const page = (name: string, version: number) =>
  Array.from(
    { length: 12 },
    (_, part) => `## Part ${part}\n\nOn page ${name} the kettle of version ${version} has part ${part}.\n\n`,
  ).join('');

async function post(
  address: string,
  path: string,
  token: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return typeof answer === 'object' && answer !== null ? { ...answer } : {};
}

/** Resolves when a question was answered. */
const answered = Promise.withResolvers<void>();

/** Adds documents and asks questions until the process dies. */
async function useUntilDead(
  parley: RunningProduct,
  workspace: string,
  key: string,
  version: number,
): Promise<void> {
  const add = async () => {
    for (const name of ['one', 'two', 'three']) {
      const content = page(name, version);
      await post(parley.address, `/admin/v1/workspaces/${workspace}/documents`, adminToken, {
        title: name,
        url: `https://help.example/${name}`,
        content,
        content_type: 'text/markdown',
      });
    }
  };
  const ask = async () => {
    for (;;) {
      await post(parley.address, '/v1/query', key, { query: 'Which version of the kettle has part 7?' });
      answered.resolve();
    }
  };
  await Promise.allSettled([add(), ask(), ask()]);
}

const kills = Number(process.env.PARLEY_KILLS ?? 3);

test('kills while indexing and answering leave no half-indexed document and no answer without its question', async () => {
  const { workspaceId: workspace, key } = await makeFirstWorkspace(folder);
  let parley = await runProduct(environment);
  for (let version = 1; version <= kills; version += 1) {
    const used = useUntilDead(parley, workspace, key, version);
    // The moment of the kill matters, so it differs each time.
    await wait(900 * (version / kills));
    if (version === kills) await answered.promise;
    await parley.end('SIGKILL');
    await used;
    parley = await runProduct(environment);
  }
  await expect.poll(() => statuses(parley.address, workspace), { timeout: 60_000 }).toEqual(['indexed']);
  expect(await parley.end('SIGTERM')).toBe(0);
  expect(await inconsistencies()).toEqual({
    halfIndexed: 0,
    strayChunks: 0,
    chunksWithoutVector: 0,
    wrongTermCounts: 0,
    answersWithoutQuestion: 0,
    wrongMessageCounts: 0,
    answers: true,
  });
}, 300_000);

async function statuses(address: string, workspace: string): Promise<string[]> {
  const response = await fetch(`${address}/admin/v1/workspaces/${workspace}/documents`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const text = await response.text();
  return [...new Set([...text.matchAll(/"status":"(\w+)"/g)].map((match) => match[1] ?? ''))];
}

async function inconsistencies(): Promise<object> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  const { rows } = await sql<object>`
    select
      (select count(*)::int from document d where status <> 'indexed' or revision <> wanted_revision or chunk_count <>
        (select count(*) from chunk c where c.document_number = d.number and c.revision = d.revision)) as "halfIndexed",
      (select count(*)::int from chunk c join document d on d.number = c.document_number
        where c.revision <> d.revision) as "strayChunks",
      (select count(*)::int from chunk c where not exists
        (select from chunk_vector v where v.chunk_id = c.id)) as "chunksWithoutVector",
      (select count(*)::int from term_count t where chunk_count <>
        (select count(*) from posting p where p.scope_id = t.scope_id and p.term = t.term)) as "wrongTermCounts",
      (select count(*)::int from message a where role = 'assistant' and not exists
        (select from message q where q.conversation_id = a.conversation_id and q.role = 'user'
          and q.position = a.position - 1)) as "answersWithoutQuestion",
      (select count(*)::int from conversation c where message_count <>
        (select count(*) from message m where m.conversation_id = c.id)) as "wrongMessageCounts",
      exists (select from message where role = 'assistant') as answers
  `.execute(database.kysely);
  await database.close();
  return rows[0] ?? {};
}
