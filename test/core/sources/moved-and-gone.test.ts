import { describe, expect, test } from 'vitest';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('items that are gone or have moved, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open() {
    const bench = new SourceBench(database);
    for (const key of ['a', 'b', 'c', 'd']) bench.site.set(key, `Text of ${key}.`);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId);
    await bench.run(workspaceId, id);
    await bench.index(workspaceId);
    const documents = async () => {
      const { items } = await bench.documents.list(workspaceId, { limit: 100 });
      return new Map(items.map((document) => [document.title.replace('Title of ', ''), document]));
    };
    return { bench, workspaceId, id, run: () => bench.run(workspaceId, id), documents };
  }

  test('one that is gone for good loses its document with the first run, though it is listed', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.troubles.set('b', () => ({ kind: 'gone', isFinal: true }));
    expect(await run()).toMatchObject({ state: 'finished' });
    expect(await bench.counts(workspaceId, id)).toMatchObject({ gone: 1, removed: 1 });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
  });

  test('one that is listed and missing keeps its document once, is named, and loses it with the second run', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.troubles.set('b', () => ({ kind: 'gone' }));
    await run();
    expect(await bench.titles(workspaceId)).toHaveLength(4);
    const { state, troubles } = await bench.sources.get(workspaceId, id);
    expect(state).toBe('needs_you');
    expect(troubles).toMatchObject([
      { code: 'gone', items: 1, remedy: 'correct_link', sample: { title: 'Title of b', url: 'b' } },
    ]);
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
    expect((await bench.sources.get(workspaceId, id)).state).toBe('in_step');
  });

  test('one that is missing from the list and from the site loses its document with the first run', async () => {
    const { bench, workspaceId, run } = await open();
    bench.site.confirmsMissing = true;
    bench.site.pages.delete('b');
    await run();
    expect(bench.site.reads).toContain('b');
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
  });

  test('one that the list forgot while it still exists waits for the second run, and is not read as new', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.confirmsMissing = true;
    bench.site.pages.delete('b');
    bench.site.troubles.set('b', () => ({
      ...{ kind: 'content', bytes: Buffer.from('Another text.'), contentType: 'text/plain' },
    }));
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
    expect(await bench.states(id)).toContain('b gone missing');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
  });

  test('one that has moved passes its document on, which answers as before until the new text is indexed', async () => {
    const { bench, workspaceId, id, run, documents } = await open();
    const before = (await documents()).get('a');
    bench.site.troubles.set('a', () => ({ kind: 'moved', to: { key: 'Z' } }));
    // The new address sorts before the old one, and is listed too.
    bench.site.set('Z', 'Text at its new address.');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['Z 2', 'b 1', 'c 1', 'd 1']);
    const after = (await documents()).get('Z');
    expect(after?.id).toBe(before?.id);
    // The revision that answers is still the old one.
    const row = await database.kysely
      .selectFrom('document')
      .select(['revision', 'wanted_revision'])
      .where('id', '=', after?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ revision: 1, wanted_revision: 2 });
    expect(await bench.states(id)).toEqual([
      'Z current',
      'a skipped moved',
      'b current',
      'c current',
      'd current',
    ]);
    await bench.index(workspaceId);
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 5, unchanged: 4, skipped: 1 });
  });

  test('one that has moved to a page that cannot be read keeps its document', async () => {
    const { bench, workspaceId, run } = await open();
    bench.site.troubles.set('a', () => ({ kind: 'moved', to: { key: 'z' } }));
    bench.site.troubles.set('z', () => {
      throw new TypeError('no');
    });
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
    bench.site.troubles.delete('z');
    bench.site.set('z', 'It is back.');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['b 1', 'c 1', 'd 1', 'z 2']);
  });

  test('two that have moved to the same page leave one document', async () => {
    const { bench, workspaceId, run } = await open();
    for (const key of ['a', 'b']) bench.site.troubles.set(key, () => ({ kind: 'moved', to: { key: 'z' } }));
    bench.site.set('z', 'Both in one.');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['c 1', 'd 1', 'z 2']);
  });

  test('one that has moved on a second time is found at the end', async () => {
    const { bench, workspaceId, run, documents } = await open();
    const before = (await documents()).get('a');
    bench.site.troubles.set('a', () => ({ kind: 'moved', to: { key: 'y' } }));
    bench.site.troubles.set('y', () => ({ kind: 'moved', to: { key: 'z' } }));
    bench.site.set('z', 'At the end.');
    await run();
    expect((await documents()).get('z')?.id).toBe(before?.id);
    expect(await bench.titles(workspaceId)).toEqual(['b 1', 'c 1', 'd 1', 'z 2']);
  });
});
