import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../core/base/http-client.ts';
import { namedActor } from '../../../core/contract/actor.ts';
import { markEncryptionKey, SecretBox } from '../../../core/secrets/secret-box.ts';
import { runSlice } from '../../../core/sources/runs/run-slice.ts';
import { ItemError, SourceError } from '../../../core/sources/source-reader.ts';
import { website } from '../../../core/sources/website/website.ts';
import { Settings } from '../../../core/storage/settings.ts';
import { Secrets } from '../../../core/workspaces/secrets.ts';
import { type RecordedAnswer, recordedTools } from '../../helpers/sources/read-source.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('runs of a source on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(keys: readonly string[] = ['a', 'b', 'c', 'd']) {
    const bench = new SourceBench(database);
    for (const key of keys) bench.site.set(key, `Text of ${key}.`, { version: '1' });
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId);
    return { bench, workspaceId, id, run: () => bench.run(workspaceId, id) };
  }

  test('the first one makes a document of each item', async () => {
    const { bench, workspaceId, id, run } = await open();
    expect(await run()).toMatchObject({ state: 'finished', number: 1, startedBy: 'Ann', code: null });
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, added: 4 });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
    const { items } = await bench.documents.list(workspaceId, { limit: 1 });
    expect(items[0]).toMatchObject({ origin: 'source', sourceId: id });
    expect((await bench.sources.get(workspaceId, id)).documents).toBe(4);
  });

  test('an item with the version of its last reading is not read again', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    await run();
    expect(bench.site.reads).toEqual([]);
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, unchanged: 4 });
  });

  test('an item without a version is read, and the same content again is not indexed', async () => {
    const { bench, workspaceId, id, run } = await open([]);
    bench.site.set('a', 'Text.');
    bench.site.troubles.set('a', () => ({
      kind: 'content',
      bytes: Buffer.from('Text.'),
      contentType: 'text/plain',
    }));
    await run();
    await run();
    expect(bench.site.reads).toEqual(['a']);
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 1, unchanged: 1 });
    const { items } = await bench.documents.list(workspaceId, { limit: 5 });
    expect(items.map(({ wantedRevision }) => wantedRevision)).toEqual([1]);
  });

  test('only what has changed is indexed again', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    bench.site.set('b', 'New text of b.', { version: '2' });
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, changed: 1, unchanged: 3 });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 2', 'c 1', 'd 1']);
  });

  test('an item that two runs in a row do not find loses its document with the second', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    bench.site.pages.delete('b');
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, unchanged: 3, gone: 1 });
    expect(await bench.titles(workspaceId)).toHaveLength(4);
    expect(await bench.states(id)).toContain('b gone missing');
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, unchanged: 3, removed: 1 });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
  });

  test('an item that comes back in between keeps its document', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    bench.site.pages.delete('b');
    await run();
    bench.site.set('b', 'Text of b.', { version: '1' });
    await run();
    bench.site.pages.delete('b');
    await run();
    expect(await bench.titles(workspaceId)).toHaveLength(4);
    expect(await bench.counts(workspaceId, id)).toMatchObject({ gone: 1 });
  });

  test('a failed run removes nothing and does not count as one that missed an item', async () => {
    const { bench, workspaceId, run } = await open();
    await run();
    bench.site.pages.delete('b');
    await run();
    bench.site.listError = new SourceError('source_refused', 'The token right-token is not valid.');
    const failed = await run();
    expect(failed).toMatchObject({ state: 'failed', code: 'source_refused' });
    expect(failed.reason).toBe('The token ••• is not valid.');
    expect(await bench.titles(workspaceId)).toHaveLength(4);
  });

  test('a run that finds nothing at all removes nothing, however often', async () => {
    const { bench, workspaceId, run } = await open();
    await run();
    bench.site.pages.clear();
    for (const _ of [1, 2, 3]) {
      expect(await run()).toMatchObject({ state: 'finished', code: 'nothing_found' });
    }
    expect(await bench.titles(workspaceId)).toHaveLength(4);
  });

  test('an item that fails keeps its document, and the run goes on', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    for (const key of ['a', 'c']) bench.site.set(key, 'New.', { version: '2' });
    bench.site.troubles.set('a', () => {
      throw new ItemError('no_access', 'Nobody may read it. Ask right-token.');
    });
    bench.site.troubles.set('c', () => {
      throw new FetchError('timed_out', 'It did not answer.');
    });
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, unchanged: 2, failed: 2 });
    const items = await bench.items(id);
    expect(items.map(({ state, code, reason }) => [state, code, reason])).toEqual([
      ['failed', 'no_access', 'Nobody may read it. Ask •••.'],
      ['current', null, null],
      ['failed', 'timed_out', 'It did not answer.'],
      ['current', null, null],
    ]);
    expect(await bench.titles(workspaceId)).toHaveLength(4);
    bench.site.troubles.clear();
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, changed: 2, unchanged: 2 });
  });

  test('a fault of a reader fails the item, and its own words stay in the log', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.troubles.set('a', () => {
      throw new TypeError('undefined is not a function');
    });
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, added: 3, failed: 1 });
    expect(await bench.states(id)).toContain('a failed internal_error');
    expect(bench.logged.join()).toContain('undefined is not a function');
  });

  test('an item that is left out on purpose loses its document at once', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    bench.site.set('a', 'New.', { version: '2' });
    bench.site.troubles.set('a', () => ({ kind: 'skipped', code: 'noindex', reason: 'It says so.' }));
    bench.site.pages.delete('b');
    bench.site.leftOut.push({ key: 'b', code: 'draft', reason: 'It is a draft.' });
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, unchanged: 2, skipped: 2, removed: 2 });
    expect(await bench.titles(workspaceId)).toEqual(['c 1', 'd 1']);
    expect(await bench.states(id)).toEqual([
      'a skipped noindex',
      'b skipped draft',
      'c current',
      'd current',
    ]);
  });

  test('links are followed once each, and what nobody links to any more is still read', async () => {
    const { bench, workspaceId, id, run } = await open([]);
    bench.site.isComplete = false;
    bench.site.set('start', 'Start.', { links: ['one', 'two', 'start'] });
    bench.site.set('one', 'One.', { links: ['two', 'start'] });
    bench.site.set('two', 'Two.', { links: ['one'] });
    await run();
    expect(bench.site.reads).toEqual(['start', 'one', 'two']);
    bench.site.set('start', 'New start.', { links: ['one'] });
    bench.site.set('one', 'One.', {});
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, changed: 1, unchanged: 2 });
    bench.site.pages.delete('two');
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, unchanged: 2, gone: 1 });
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['one 1', 'start 2']);
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 2, unchanged: 2 });
  });

  test('patterns leave items out, with or without an earlier document', async () => {
    const { bench, workspaceId, id, run } = await open([]);
    for (const path of ['docs/a', 'docs/b.pdf', 'blog/c']) {
      bench.site.set(path, path, { version: '1', url: `https://acme.example/${path}` });
    }
    await run();
    await bench.sources.change(
      { workspaceId, id, actor: namedActor('Ann') },
      { include: ['/docs/**'], exclude: ['*.pdf'] },
    );
    await bench.work();
    expect(await bench.states(id)).toEqual([
      'blog/c skipped excluded',
      'docs/a current',
      'docs/b.pdf skipped excluded',
    ]);
    expect(await bench.titles(workspaceId)).toEqual(['docs/a 1']);
  });

  test('more items than allowed are left out, and nothing counts as missing then', async () => {
    const { bench, workspaceId, id, run } = await open(['a', 'b', 'c', 'd', 'e']);
    await run();
    await bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { maxItems: 2 });
    await bench.work();
    await run();
    expect(await run()).toMatchObject({ state: 'finished', code: 'too_many_items' });
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 2, unchanged: 2 });
    expect(await bench.titles(workspaceId)).toHaveLength(5);
  });

  test('a list that is cut says so, and nothing counts as missing then, also after a change of settings', async () => {
    const { bench, workspaceId, id, run } = await open();
    expect(await run()).toMatchObject({ code: null });
    bench.site.pages.delete('d');
    bench.site.isCut = true;
    bench.site.troubles.set('d', () => ({ kind: 'unchanged' }));
    for (const _ of [1, 2, 3]) expect(await run()).toMatchObject({ state: 'finished', code: 'list_cut' });
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 3, unchanged: 3 });
    await bench.sources.change(
      { workspaceId, id, actor: namedActor('Ann') },
      { settings: { site: 'main' }, credentials: { token: 'right-token' } },
    );
    await bench.work();
    for (const _ of [1, 2]) expect(await run()).toMatchObject({ state: 'finished', code: 'list_cut' });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  });

  test('an item that a cut list does not name is gone only if two runs could not read it', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    bench.site.pages.delete('d');
    bench.site.isCut = true;
    await bench.sources.change(
      { workspaceId, id, actor: namedActor('Ann') },
      { settings: { site: 'main' }, credentials: { token: 'right-token' } },
    );
    await bench.work();
    expect(await bench.states(id)).toContain('d gone gone');
    expect(await bench.titles(workspaceId)).toHaveLength(4);
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1', 'c 1']);
  });

  test('pages in sitemaps that a website does not read any more keep their documents', async () => {
    const bench = new SourceBench(database, [website]);
    const workspaceId = await bench.workspace();
    const settings = { url: 'https://acme.example/sitemap.xml', follow: 'sitemap' };
    const id = await bench.create(workspaceId, { kind: 'website', settings, credentials: {} });
    const list = (root: string, entry: string, ...names: readonly string[]): RecordedAnswer => ({
      headers: { 'content-type': 'application/xml' },
      body: `<${root}>${names.map((name) => `<${entry}><loc>https://acme.example/${name}</loc></${entry}>`).join('')}</${root}>`,
    });
    const index = (...names: readonly string[]) => list('sitemapindex', 'sitemap', ...names);
    const pages = {
      a: { body: '<title>a</title><p>Words of a.' },
      b: { body: '<title>b</title><p>More of b.' },
    };
    const read = (files: Readonly<Record<string, RecordedAnswer>>) => {
      const answers = Object.entries({ ...pages, ...files });
      const absolute = answers.map(([name, answer]) => [`https://acme.example/${name}`, answer]);
      const { fetch } = recordedTools(Object.fromEntries(absolute)).tools;
      return bench.run(workspaceId, id, { fetch, wait: async () => {} });
    };
    const whole = { 'sitemap.xml': index('1.xml', '2.xml'), '1.xml': list('urlset', 'url', 'a') };
    const second = list('urlset', 'url', 'b');
    expect(await read({ ...whole, '2.xml': second })).toMatchObject({ state: 'finished', code: null });
    const nested = { ...whole, '2.xml': index('3.xml'), '3.xml': index('4.xml'), '4.xml': second };
    for (const _ of [1, 2, 3])
      expect(await read(nested)).toMatchObject({ state: 'finished', code: 'list_cut' });
    expect(await bench.states(id)).toContain('https://acme.example/3.xml skipped sitemaps_nested');
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 1']);
  });

  test('a tool that asks to wait is asked again after that time, where the run was', async () => {
    const { bench, workspaceId, id } = await open();
    bench.site.troubles.set('c', () => {
      bench.site.troubles.clear();
      throw new SourceError('rate_limited', 'Slow down.', { retryAfterMs: 90_000 });
    });
    await bench.sources.run({ workspaceId, id, actor: namedActor('Ann') });
    const [job] = bench.jobs.splice(0);
    if (job === undefined) throw new TypeError('no job was queued');
    await runSlice(bench.dependencies, job, new AbortController().signal);
    expect(bench.jobs.map(({ delayMs }) => delayMs)).toEqual([90_000]);
    const waiting = await bench.lastRun(workspaceId, id);
    expect(waiting).toMatchObject({
      state: 'running',
      code: 'rate_limited',
      reason: 'Slow down.',
      waiting: 2,
    });
    expect(waiting.waitsUntil).toEqual(new Date(bench.now.getTime() + 90_000));
    await bench.work();
    expect(bench.site.reads).toEqual(['a', 'b', 'c', 'c', 'd']);
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished', code: null });
    expect(bench.site.lists).toBe(2);
  });

  test('a run works in slices and reads nothing twice', async () => {
    const { bench, workspaceId, id } = await open();
    let slices = 0;
    await bench.sources.run({ workspaceId, id, actor: namedActor('Ann') });
    await bench.work({
      sliceMs: 1,
      wake: async (run, options) => {
        slices += 1;
        await bench.dependencies.wake(run, options);
      },
    });
    expect(slices).toBeGreaterThan(0);
    expect([...bench.site.reads].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished' });
  });

  test('a run whose process died continues where it was, and its late process changes nothing', async () => {
    const { bench, workspaceId, id } = await open();
    const hangs = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    bench.site.troubles.set('b', async () => {
      hangs.resolve();
      await goesOn.promise;
      return { kind: 'content', bytes: Buffer.from('Late.'), contentType: 'text/plain', title: 'late' };
    });
    await bench.sources.run({ workspaceId, id, actor: namedActor('Ann') });
    const [job] = bench.jobs.splice(0);
    if (job === undefined) throw new TypeError('no job was queued');
    const first = runSlice(bench.dependencies, job, new AbortController().signal);
    await hangs.promise;
    // Another worker that gets the same job waits for the lease to end.
    await runSlice(bench.dependencies, job, new AbortController().signal);
    expect(bench.jobs).toHaveLength(1);
    bench.site.troubles.clear();
    bench.now = new Date(bench.now.getTime() + 60_000);
    await bench.work();
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished' });
    goesOn.resolve();
    await first;
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, added: 4 });
    const { rows } = await sql<{ key: string; read_run: number }>`
      select key, read_run from source_item where source_id = ${id} and state <> 'current'
    `.execute(database.kysely);
    expect(rows).toEqual([]);
  });

  test('a cancelled run stops after its current item, and the next one continues', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.troubles.set('b', async (item) => {
      bench.site.troubles.clear();
      await bench.sources.cancel({ workspaceId, id, actor: namedActor('Ann') });
      return bench.site.read(item);
    });
    expect(await run()).toMatchObject({ state: 'cancelled' });
    expect(bench.site.reads).not.toContain('c');
    await run();
    expect(await bench.counts(workspaceId, id)).toMatchObject({ listed: 4, unchanged: 1, added: 3 });
  });

  test('at most two sources of a workspace are read at a time, and others are not held up', async () => {
    const { bench, workspaceId } = await open();
    const other = await bench.workspace();
    const ids = [];
    for (const _ of [1, 2, 3]) ids.push(await bench.create(workspaceId, { run: true }));
    const foreign = await bench.create(other, { run: true });
    const jobs = bench.jobs.splice(0);
    const release = Promise.withResolvers<void>();
    const started: string[] = [];
    const enough = Promise.withResolvers<void>();
    bench.site.troubles.set('a', async (item) => {
      started.push(item.key);
      if (started.length === 3) enough.resolve();
      await release.promise;
      return { kind: 'content', bytes: Buffer.from('A.'), contentType: 'text/plain', title: 'a' };
    });
    const working = jobs.map((job) => runSlice(bench.dependencies, job, new AbortController().signal));
    await enough.promise;
    expect(started).toHaveLength(3);
    expect((await bench.lastRun(other, foreign)).state).toBe('running');
    release.resolve();
    await Promise.all(working);
    await bench.work();
    for (const id of ids) expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished' });
  });

  test('a document that somebody deletes is not brought back, unless it is restored', async () => {
    const { bench, workspaceId, id, run } = await open();
    await run();
    const { items } = await bench.documents.list(workspaceId, { limit: 100, q: 'Title of b' });
    const [document] = items;
    if (document === undefined) throw new TypeError('the document is missing');
    await bench.documents.delete(workspaceId, document.id, {
      actor: namedActor('Ann'),
      restorableMs: 60_000_000,
    });
    bench.site.set('b', 'New text.', { version: '2' });
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, unchanged: 3, skipped: 1 });
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'c 1', 'd 1']);
    expect(await bench.states(id)).toContain('b skipped deleted_by_hand');
    await bench.changes.restore({ workspaceId, id: document.id });
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['a 1', 'b 2', 'c 1', 'd 1']);
  });

  test('a new audience reaches every document with the run that starts at once', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.set('d', 'Text of d.', { version: '1', audience: ['staff'] });
    await run();
    await bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { audience: ['trade'] });
    await bench.work();
    const { items } = await bench.documents.list(workspaceId, { limit: 100 });
    const audiences = items.map(({ title, audience }) => `${title} ${audience.join()}`).sort();
    expect(audiences).toEqual([
      'Title of a trade',
      'Title of b trade',
      'Title of c trade',
      'Title of d staff',
    ]);
  });

  test('after a change of settings, items of before are gone after two runs', async () => {
    const { bench, workspaceId, id, run } = await open(['x', 'y']);
    bench.site.isComplete = false;
    bench.site.set('start', 'Start.', { links: ['x'] });
    bench.site.set('x', 'X.', { links: ['y'] });
    await run();
    bench.site.set('start', 'Start.', { links: [] });
    await bench.sources.change(
      { workspaceId, id, actor: namedActor('Ann') },
      { settings: { site: 'main' }, credentials: { token: 'right-token' } },
    );
    await bench.work();
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['start 1']);
  });

  test('keys that no index holds are left out with a reason', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.set(`long-${'x'.repeat(2_000)}`, 'Long.');
    await run();
    expect(await bench.counts(workspaceId, id)).toEqual({ listed: 4, added: 4, skipped: 1 });
    expect((await bench.states(id)).some((state) => state.endsWith('skipped key_too_long'))).toBe(true);
  });

  test('credentials open again after a new key has resealed them', async () => {
    const { bench, workspaceId, id, run } = await open();
    const old = Buffer.alloc(32, 1);
    const secretBox = new SecretBox(Buffer.alloc(32, 2), [old]);
    const { clock, log } = bench.dependencies;
    const settings = new Settings(database.kysely);
    await markEncryptionKey(settings, secretBox);
    const secrets = new Secrets({
      ...{ database: database.kysely, settings, clock, log, secretBox, keyFile: null, alone: true },
    });
    await secrets.reseal();
    await bench.sources.run({ workspaceId, id, actor: namedActor('Ann') });
    await bench.work({ secretBox: new SecretBox(Buffer.alloc(32, 2)) });
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished', code: null });
    expect(await run()).toMatchObject({ state: 'failed', code: 'unreadable_credentials' });
  });

  test('neither the log nor the rows hold credentials', async () => {
    const { bench, workspaceId, id, run } = await open();
    bench.site.troubles.set('a', () => {
      throw new ItemError('no_access', 'right-token may not read it.');
    });
    await run();
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(source)::text || coalesce((select jsonb_agg(to_jsonb(source_run)) from source_run)::text, '')
        || coalesce((select jsonb_agg(to_jsonb(source_item)) from source_item)::text, '') as text
      from source where id = ${id}
    `.execute(database.kysely);
    expect(rows[0]?.text).toContain('v2.');
    expect(rows[0]?.text).not.toContain('right-token');
    expect(bench.logged.join()).toContain('source run finished');
    expect(bench.logged.join()).not.toContain('right-token');
    expect(JSON.stringify(await bench.sources.get(workspaceId, id))).not.toContain('right-token');
  });
});
