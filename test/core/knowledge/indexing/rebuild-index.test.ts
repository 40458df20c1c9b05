import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../../core/base/log.ts';
import { rebuildIndex } from '../../../../core/knowledge/indexing/rebuild-index.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';
import { findWrongWords } from '../../../helpers/stores/knowledge/word-counts.ts';

const log = createLog('silent');
const section = (topic: string) => `## ${topic}\n\nThe ${topic} of the kettle is the best that there is.\n\n`;

describe.each(testEngines)('the word index on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const base = new KnowledgeBase(database);
  const rebuild = (signal = new AbortController().signal) => rebuildIndex({ database: kysely, log, signal });
  const workspace = await base.workspace();
  const document = await base.add(workspace, ['lid', 'cord', 'spout'].map(section).join(''));
  await base.add(workspace, Array.from({ length: 160 }, (_, index) => section(`part ${index}`)).join(''));
  await base.add(workspace, section('secret'), { audience: ['staff'] });
  const search = () => base.search(workspace, 'What is the lid made of?');

  test('is left alone while it is complete and of this version', async () => {
    const before = await sql`select * from scope order by id`.execute(kysely);
    expect(await rebuild()).toBe(0);
    expect((await sql`select * from scope order by id`.execute(kysely)).rows).toEqual(before.rows);
    expect(await findWrongWords(kysely)).toEqual([]);
  });

  test('of another version is rebuilt for each scope and finds the same', async () => {
    const before = await search();
    await sql`update scope set analyser = 1`.execute(kysely);
    await sql`update posting set term = term + 1`.execute(kysely);
    expect(await search()).not.toEqual(before);
    expect(await rebuild()).toBe(2);
    expect(await search()).toEqual(before);
    expect(await findWrongWords(kysely)).toEqual([]);
  });

  test('that lacks passages, or has lost all of them, is rebuilt', async () => {
    const before = await search();
    // Two rebuilds by an earlier version have left this; one of them was killed.
    await sql`
      with lost as (select id, scope_id from chunk where id % 3 = 0),
      gone as (delete from posting where chunk_id in (select id from lost))
      update scope set chunk_count = chunk_count - (select count(*) from lost where lost.scope_id = scope.id)
    `.execute(kysely);
    expect(await findWrongWords(kysely)).not.toEqual([]);
    await rebuild();
    expect(await findWrongWords(kysely)).toEqual([]);
    await sql`truncate posting, term_count`.execute(kysely);
    await sql`update scope set chunk_count = 0, term_count = 0`.execute(kysely);
    await rebuild();
    expect(await findWrongWords(kysely)).toEqual([]);
    expect(await search()).toEqual(before);
  });

  test('continues where a process stopped, with documents that came and went since', async () => {
    await sql`update scope set analyser = 1`.execute(kysely);
    const before = await search();
    const positions = async () => {
      const { rows } = await sql<{ position: number }>`
        select max(rebuild_position) as position from scope`.execute(kysely);
      return rows[0]?.position ?? 0;
    };
    await rebuild(abortedAfter(3));
    const position = await positions();
    expect(position).toBeGreaterThan(0);
    expect(await search()).toEqual(before);
    const added = await base.add(workspace, section('filter'));
    for (const id of [document, added]) {
      await base.documents.delete(workspace, id);
      await base.ingest(id);
    }
    await base.add(workspace, section('whistle'));
    expect(await positions()).toBe(position);
    await rebuild();
    expect(await findWrongWords(kysely)).toEqual([]);
  });

  test('that a newer version builds is left to that version, and begun anew by a newer one', async () => {
    await sql`update scope set analyser = 1, rebuild = 'building', rebuild_analyser = 1000`.execute(kysely);
    expect(await rebuild()).toBe(0);
    await sql`
      insert into posting select scope_id * -1, term + 1, chunk_id, term_frequency, chunk_length from posting
      where chunk_id % 2 = 0`.execute(kysely);
    await sql`update scope set rebuild_analyser = 1, rebuild_position = 10`.execute(kysely);
    await rebuild();
    expect(await findWrongWords(kysely)).toEqual([]);
  });

  test('that a process of an earlier version adds to is rebuilt again', async () => {
    await sql`update scope set analyser = 1000`.execute(kysely);
    await base.add(workspace, section('timer'));
    const { rows } = await sql`select distinct analyser = 1000 as newer from scope`.execute(kysely);
    expect(rows).toHaveLength(2);
    await sql`update scope set analyser = 0`.execute(kysely);
    await rebuild();
    expect(await findWrongWords(kysely)).toEqual([]);
  });
});

/** A signal that aborts at the given check: between two steps of the caller. */
function abortedAfter(steps: number): AbortSignal {
  let asked = 0;
  const aborted = () => {
    asked += 1;
    return asked > steps;
  };
  return Object.defineProperty(new AbortController().signal, 'aborted', { get: aborted });
}
