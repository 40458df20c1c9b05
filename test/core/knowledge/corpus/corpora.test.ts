import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import { Corpora } from '../../../../core/knowledge/corpus/corpora.ts';
import type { Corpus } from '../../../../core/knowledge/corpus/corpus.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../../helpers/stores/knowledge/knowledge-base.ts';

const eager = { questions: 1, chunksPerQuestion: 1_000 };

const bodiesOf = (corpus: Corpus | null) =>
  corpus?.scopes.flatMap(({ passages }) => passages.map(({ body }) => body)) ?? null;

describe.each(testEngines)('Corpora on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const base = new KnowledgeBase(database);
  const open = (options: Partial<ConstructorParameters<typeof Corpora>[0]> = {}) =>
    new Corpora({
      ...{ database: database.kysely, clock: systemClock, log: createLog('silent') },
      ...{ bytes: 2 ** 24, worth: eager, ...options },
    });
  /** The corpus after loading has finished. */
  const kept = async (corpora: Corpora, workspace: string) => {
    await corpora.current(workspace);
    await corpora.idle();
    return bodiesOf(await corpora.current(workspace));
  };

  test('a workspace is loaded after enough questions since its last change', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, 'A kettle.');
    const corpora = open({ worth: { questions: 3, chunksPerQuestion: 1 } });
    expect(await kept(corpora, workspace)).toBeNull();
    expect(await kept(corpora, workspace)).toEqual(['A kettle.']);
    await base.add(workspace, 'A pot.');
    expect(await kept(corpora, workspace)).toBeNull();
    expect(await kept(corpora, workspace)).toEqual(['A kettle.', 'A pot.']);
  });

  test('a workspace with many documents needs more questions', async () => {
    const workspace = await base.workspace();
    for (let index = 0; index < 4; index += 1) await base.add(workspace, `Kettle ${index}.`);
    const corpora = open({ worth: { questions: 1, chunksPerQuestion: 1 } });
    expect(await kept(corpora, workspace)).toBeNull();
    expect(await kept(corpora, workspace)).toBeNull();
    expect(await kept(corpora, workspace)).toHaveLength(4);
  });

  test('an empty workspace is not loaded, and none is without free memory', async () => {
    const workspace = await base.workspace();
    expect(await kept(open(), workspace)).toBeNull();
    await base.add(workspace, 'A kettle.');
    expect(await kept(open({ bytes: 0 }), workspace)).toBeNull();
    expect(await kept(open({ bytes: 5_000 }), workspace)).toBeNull();
    expect(await kept(open({ bytes: 12_000 }), workspace)).toEqual(['A kettle.']);
  });

  test('a loaded workspace stays until it is idle', async () => {
    const [first, second] = [await base.workspace(), await base.workspace()];
    await base.add(first, 'A kettle.');
    await base.add(second, 'A pot.');
    let now = Date.parse('2026-11-22');
    const corpora = open({ clock: { now: () => new Date(now) }, bytes: 11_000 });
    expect(await kept(corpora, first)).toEqual(['A kettle.']);
    expect(await kept(corpora, second)).toBeNull();
    expect(await kept(corpora, first)).toEqual(['A kettle.']);
    now += 11 * 60_000;
    expect(await kept(corpora, second)).toEqual(['A pot.']);
    expect(await kept(corpora, first)).toBeNull();
  });

  test('the next question in every process sees a change', async () => {
    const workspace = await base.workspace();
    const url = 'https://shop.example/kettle';
    const id = await base.add(workspace, 'A kettle.', { url, title: 'One' });
    const [here, there] = [open(), open()];
    const both = async () => [await kept(here, workspace), await kept(there, workspace)];
    const titles = async () => {
      await kept(here, workspace);
      return (await here.current(workspace))?.scopes.flatMap(({ passages }) =>
        passages.map(({ title }) => title),
      );
    };
    expect(await both()).toEqual([['A kettle.'], ['A kettle.']]);
    await base.store(workspace, 'A better kettle.', { url, title: 'Two' });
    expect(await titles()).toEqual(['Two']);
    expect(await both()).toEqual([['A kettle.'], ['A kettle.']]);
    await base.ingest(id);
    expect(await here.current(workspace)).toBeNull();
    expect(await there.current(workspace)).toBeNull();
    expect(await both()).toEqual([['A better kettle.'], ['A better kettle.']]);
    await base.documents.delete(workspace, id);
    expect(await here.current(workspace)).toBeNull();
    expect(await both()).toEqual([[], []]);
  });

  test('a corpus that changes while loading is not kept', async () => {
    const workspace = await base.workspace();
    for (const name of ['kettle', 'pot', 'pan']) await base.add(workspace, `A ${name}.`);
    const corpora = open();
    for (let round = 0; round < 5; round += 1) {
      await corpora.current(workspace);
      await base.add(workspace, `Round ${round}.`);
      await corpora.idle();
      expect(await corpora.current(workspace)).toBeNull();
      await corpora.idle();
      expect(bodiesOf(await corpora.current(workspace))).toContain(`Round ${round}.`);
    }
  });

  test('after a failed load the database is searched and the failure is logged', async () => {
    const workspace = await base.workspace();
    await base.add(workspace, 'A kettle.');
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const corpora = open({ log });
    await database.pool.query('alter table posting rename to posting_elsewhere');
    expect(await kept(corpora, workspace)).toBeNull();
    expect(lines.join()).toContain('corpus loading failed');
    await corpora.idle();
    await database.pool.query('alter table posting_elsewhere rename to posting');
    expect(await kept(corpora, workspace)).toEqual(['A kettle.']);
  });
});
