import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../../../core/base/log.ts';
import { countTerms, removePostings } from '../../../../core/knowledge/indexing/postings.ts';
import { termHash } from '../../../../core/language/tokens.ts';
import { openDatabase } from '../../../../core/storage/database.ts';
import { childEnvironment } from '../../../helpers/child-environment.ts';
import { nodeArguments } from '../../../helpers/node-arguments.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';
import { findWrongWords } from '../../../helpers/stores/knowledge/word-counts.ts';

/** `PARLEY_REBUILD_DOCUMENTS=600 PARLEY_KILLS=60` for a run of half an hour. */
const documentCount = Number(process.env.PARLEY_REBUILD_DOCUMENTS ?? 16);
const kills = Number(process.env.PARLEY_KILLS ?? 4);
const sectionsPerDocument = 50;

const program = resolve(import.meta.dirname, '../../../helpers/stores/knowledge/rebuild-words.ts');
/** A word of the first document of each scope, which stays. No language changes it. */
const marker = 'qzxj';

interface Told {
  readonly frequencies: readonly (readonly [number, number])[] | null;
  readonly found: readonly { readonly bm25: number }[] | null;
}

const section = (topic: string) =>
  `## ${topic}\n\nThe ${topic} of the kettle is described in this passage about ${topic} and water.\n\n`;

test.skipIf(!testEngines.includes('postgres'))(
  'three processes that are killed at random index the words of all scopes, and every question finds words meanwhile',
  { timeout: 3_600_000 },
  async () => {
    const url = await createDatabase();
    const database = await openDatabase({ DATA_DIR: '', DATABASE_URL: url }, createLog('silent'));
    afterAll(() => database.close());
    const { kysely } = database;
    const base = new KnowledgeBase(database);
    const workspaces = [await base.workspace(), await base.workspace()];
    const owners = workspaces.flatMap((workspace) => [
      { workspace, audience: [] },
      { workspace, audience: ['staff'] },
    ]);
    const documents: { readonly id: string; readonly workspace: string }[] = [];
    const add = async (number: number): Promise<void> => {
      const { workspace, audience } = owners[number % owners.length] ?? { workspace: '', audience: [] };
      const topics = Array.from(
        { length: sectionsPerDocument },
        (_, index) => `${number < owners.length ? marker : 'other'} x${index}`,
      );
      const id = await base.add(workspace, topics.map(section).join(''), {
        audience,
        title: `Page ${number}`,
      });
      documents.push({ id, workspace });
    };
    for (let number = 0; number < documentCount; number += 1) await add(number);
    await sql`update scope set analyser = 1`.execute(kysely);
    // An earlier version has lost a tenth of the passages of one scope.
    await kysely.transaction().execute(async (transaction) => {
      const scope = await transaction.selectFrom('scope').select('id').limit(1).executeTakeFirstOrThrow();
      const chunks = await transaction
        .selectFrom('chunk')
        .selectAll()
        .where('scope_id', '=', scope.id)
        .execute();
      const lost = chunks.filter(({ id }) => id % 10 === 0);
      const passages = lost.map((chunk) => ({ id: chunk.id, terms: countTerms(chunk) }));
      await removePostings(transaction, scope.id, passages);
    });

    let ended = false;
    let questions = 0;
    const asking = async (workspace: string): Promise<void> => {
      for (; !ended; questions += 1) {
        const { rows } = await sql<{ told: Told }>`
          select find_candidates(${workspace}, '{staff}', null, ${[termHash(marker)]}::int[], null, 4000, 0, 0) as told
        `.execute(kysely);
        const { frequencies, found } = rows[0]?.told ?? { frequencies: null, found: null };
        const matching = found?.filter(({ bm25 }) => bm25 > 0).length;
        // Five of them were lost in one of the workspaces.
        const frequency = frequencies?.[0]?.[1] ?? 0;
        if (matching !== 40 || frequency < 2 * sectionsPerDocument - 5) {
          throw new TypeError(`a question found ${matching} passages, and its word in ${frequency}`);
        }
      }
    };
    const changing = async (): Promise<void> => {
      for (let number = documentCount; !ended; number += 1) {
        await add(number);
        const others = documents.length - owners.length;
        const [gone] = documents.splice(owners.length + (number % others), 1);
        if (gone === undefined) continue;
        await base.documents.delete(gone.workspace, gone.id);
        await base.ingest(gone.id);
      }
    };
    const work = Promise.all([...workspaces.map(asking), changing()]);

    work.catch(() => {
      ended = true;
    });

    const start = () =>
      spawn(process.execPath, [...nodeArguments, program], {
        env: { ...childEnvironment(), DATABASE_URL: url },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const positions = async () =>
      JSON.stringify(
        (await sql`select id, words_side, rebuild, rebuild_position from scope order by id`.execute(kysely))
          .rows,
      );
    let killed = 0;
    const keepRunning = async (): Promise<void> => {
      let child: ChildProcess = start();
      while (killed < kills && !(await isDone())) {
        const before = await positions();
        await expect
          .poll(async () => (await positions()) !== before || (await isDone()), {
            interval: 5,
            timeout: 300_000,
          })
          .toBe(true);
        if (killed >= kills || (await isDone())) break;
        killed += 1;
        child.kill('SIGKILL');
        child = start();
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.exitCode).toBe(0);
    };
    const isDone = async (): Promise<boolean> => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from scope where rebuild is not null or analyser < 2`.execute(kysely);
      return rows[0]?.left === 0;
    };
    await Promise.all([keepRunning(), keepRunning(), keepRunning()]);
    ended = true;
    await work;
    const { rows } = await sql<{ chunks: number }>`select count(*)::int as chunks from chunk`.execute(kysely);
    expect(await findWrongWords(kysely)).toEqual([]);
    expect(killed).toBeGreaterThan(0);
    expect(questions).toBeGreaterThan(0);
    if (process.env.PARLEY_KILLS !== undefined) {
      process.stdout.write(`${rows[0]?.chunks} passages, ${killed} kills, ${questions} questions\n`);
    }
  },
);
