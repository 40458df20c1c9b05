import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLog } from '../../core/base/log.ts';
import { openDatabase } from '../../core/storage/database.ts';
import { makeFirstWorkspace } from '../helpers/servers/processes/make-first-workspace.ts';
import { runProduct } from '../helpers/servers/processes/run-product.ts';
import { testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';

const folder = testDataFolder();
const environment = { DATA_DIR: folder, EMBEDDING_ENGINE: 'auto' };
const kills = Number(process.env.PARLEY_KILLS ?? 3);

interface Reply {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

/** A question with its own idempotency key, always the same. */
async function ask(address: string, key: string, name: string): Promise<Reply> {
  const response = await fetch(`${address}/v1/query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'idempotency-key': name,
    },
    body: JSON.stringify({ query: `Question ${name}?` }),
  });
  const text = await response.text();
  return { status: response.status, replayed: response.headers.has('idempotency-replayed'), text };
}

/** Asks one new question after another until the process dies. Returns the responses by key. */
async function askUntilDead(address: string, key: string, run: string) {
  const heard = new Map<string, string | null>();
  const askIn = async (lane: number) => {
    for (let index = 0; ; index += 1) {
      const name = `${run}-${lane}-${index}`;
      heard.set(name, null);
      const reply = await ask(address, key, name);
      heard.set(name, reply.text);
    }
  };
  await Promise.allSettled([askIn(1), askIn(2), askIn(3), askIn(4)]);
  return heard;
}

test('a request repeated after a kill at any moment is answered once', async () => {
  const { key } = await makeFirstWorkspace(folder);
  let parley = await runProduct(environment);
  const names: string[] = [];
  for (let run = 1; run <= kills; run += 1) {
    const used = askUntilDead(parley.address, key, `${run}`);
    // The moment of the kill matters, so it differs each time.
    await wait(100 * run);
    await parley.end('SIGKILL');
    const heard = await used;
    parley = await runProduct(environment);
    for (const [name, answer] of [...heard].slice(-8)) {
      names.push(name);
      const reply = await ask(parley.address, key, name);
      expect(reply.status, reply.text).toBe(200);
      if (answer !== null) expect(reply).toEqual({ status: 200, replayed: true, text: answer });
      expect(await ask(parley.address, key, name)).toEqual({ ...reply, replayed: true });
    }
  }
  await parley.end('SIGTERM');
  expect(await answersOf(names)).toEqual(new Map(names.map((name) => [name, 1])));
}, 300_000);

async function answersOf(names: readonly string[]): Promise<Map<string, number>> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  const { rows } = await sql<{ content: string; answers: number }>`
    select question.content, count(*)::int as answers from message question
    join message answer on answer.conversation_id = question.conversation_id and answer.role = 'assistant'
    where question.role = 'user' group by question.content
  `.execute(database.kysely);
  await database.close();
  const counts = new Map(rows.map(({ content, answers }) => [content, answers]));
  return new Map(names.map((name) => [name, counts.get(`Question ${name}?`) ?? 0]));
}
