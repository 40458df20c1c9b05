import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../../core/base/http-client.ts';
import { namedActor } from '../../../../core/contract/actor.ts';
import { parseHtml } from '../../../../core/knowledge/loaders/html/parse-html.ts';
import { startDueCuts } from '../../../../core/sources/ledger/cut-runs.ts';
import { keepMainContent } from '../../../../core/sources/website/main-content.ts';
import { markedPage, origin, WebsiteBench } from '../../../helpers/sources/websites/website-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const article = (name: string) =>
  `<h1>${name}</h1><p>All about ${name}: it weighs ${name.length} kilograms.</p>`;
const names = Array.from({ length: 20 }, (_, place) => `item ${String.fromCodePoint(97 + place)}`);
const site = Object.fromEntries(
  names.map((name) => [`/${name.replace(' ', '-')}`, markedPage(article(name), name)]),
);

/** The hash of a block of a page. */
function blockOf(html: string, text: string): string {
  const { ledger } = keepMainContent(parseHtml(html), { hasLedger: true });
  return ledger.find((block) => block.text === text)?.hash ?? 'missing';
}

const first = site['/item-a'] ?? '';
const footer = blockOf(first, 'Copyright by Acme');

describe.each(testEngines)('stored pages on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function openRead(pages: Readonly<Record<string, string>> = site) {
    const bench = await WebsiteBench.open(database);
    await bench.read(pages);
    return bench;
  }

  test('are stored once for equal trees, and go with their last item and with their source', async () => {
    const { '/item-b': other = '', ...rest } = site;
    const bench = await openRead({ ...site, '/item-a': other });
    expect(await bench.storedPages()).toHaveLength(20);
    expect(await bench.trees()).toBe(19);
    await bench.read({ ...rest, '/item-a': markedPage(article('another'), 'another') });
    expect(await bench.storedPages()).toHaveLength(19);
    expect(await bench.trees()).toBe(19);
    const { sourceId: id, ...target } = bench.target;
    await bench.sources.delete({ ...target, id }, { documents: 'delete' });
    expect(await bench.trees()).toBe(0);
  });

  test('are cut by a rule without a request, and only documents whose text changes have a new revision', async () => {
    const bench = await openRead();
    expect(new Set(Object.values(await bench.revisions()))).toEqual(new Set([1]));
    const kept = await bench.addRule({ key: null, block: footer, action: 'keep' });
    const run = await bench.finish();
    expect(bench.asked).toEqual([]);
    expect(run).toMatchObject({ isCut: true, state: 'finished', counts: { listed: 20, changed: 20 } });
    expect(bench.added.filter((text) => text.includes('Copyright by Acme'))).toHaveLength(20);
    const own = blockOf(first, 'All about item a: it weighs 6 kilograms.');
    await bench.addRule({ key: `${origin}/item-a`, block: own, action: 'cut' });
    await bench.finish();
    expect(bench.added).toHaveLength(1);
    expect(bench.added[0]).not.toContain('kilograms');
    expect(await bench.revisions()).toMatchObject({ '/item-a': 3, '/item-b': 2 });
    await bench.removeRule(kept.id);
    await bench.finish();
    expect(bench.asked).toEqual([]);
    expect(bench.added.filter((text) => text.includes('Copyright'))).toEqual([]);
    expect(await bench.revisions()).toMatchObject({ '/item-a': 4, '/item-b': 3 });
  });

  test('a rule for one page goes before one for all, and a page with nothing left keeps its document', async () => {
    const bench = await openRead();
    await bench.addRule({ key: null, block: footer, action: 'keep' });
    await bench.addRule({ key: `${origin}/item-a`, block: footer, action: 'cut' });
    for (const text of ['item c', 'All about item c: it weighs 6 kilograms.']) {
      const block = blockOf(site['/item-c'] ?? '', text);
      await bench.addRule({ key: `${origin}/item-c`, block, action: 'cut' });
    }
    await bench.addRule({ key: `${origin}/item-c`, block: footer, action: 'cut' });
    await bench.finish();
    expect(await bench.revisions()).toMatchObject({ '/item-a': 1, '/item-b': 2, '/item-c': 1 });
    expect(await bench.states(bench.id)).toContain(`${origin}/item-c failed empty`);
  });

  test('are cut anew after a new version of the cutter, once', async () => {
    const bench = await openRead();
    const age = () =>
      Promise.all([
        database.kysely
          .updateTable('source')
          .set({ cut_version: '0.0' })
          .where('id', '=', bench.id)
          .execute(),
        database.kysely
          .updateTable('source_page')
          .set({ cut_version: '0.old' })
          .where('source_id', '=', bench.id)
          .execute(),
      ]);
    await age();
    await startDueCuts(bench.stores, bench.waking);
    const run = await bench.finish();
    expect(run).toMatchObject({ isCut: true, startedBy: 'schedule', counts: { changed: 0 } });
    expect(bench.asked).toEqual([]);
    expect((await bench.storedPages()).map(({ cut_version: version }) => version)).not.toContain('0.old');
    expect(new Set(Object.values(await bench.revisions()))).toEqual(new Set([1]));
    await startDueCuts(bench.stores, bench.waking);
    expect(bench.jobs).toEqual([]);
  });

  test('are cut in slices that another process continues', async () => {
    const bench = await openRead();
    await bench.addRule({ key: null, block: footer, action: 'keep' });
    const run = await bench.finish({ sliceMs: 1 });
    expect(run).toMatchObject({ state: 'finished', counts: { listed: 20, changed: 20 } });
    expect(new Set(Object.values(await bench.revisions()))).toEqual(new Set([2]));
  });

  test('a rule that comes while the source is read is applied by the run after it', async () => {
    const bench = await openRead();
    await bench.sources.run({ ...bench.target, id: bench.id });
    await bench.addRule({ key: null, block: footer, action: 'keep' });
    await bench.finish();
    expect(new Set(Object.values(await bench.revisions()))).toEqual(new Set([2]));
  });

  test('a run that only cuts pages does not hide that the source could not be read', async () => {
    const bench = await openRead();
    const { workspaceId } = bench;
    await bench.sources.run({ ...bench.target, id: bench.id });
    await bench.finish({ fetch: () => Promise.reject(new FetchError('host_unreachable', 'It is away.')) });
    expect(await bench.sources.get(workspaceId, bench.id)).toMatchObject({ state: 'needs_you' });
    await bench.addRule({ key: null, block: footer, action: 'keep' });
    expect((await bench.finish()).isCut).toBe(true);
    expect(await bench.sources.get(workspaceId, bench.id)).toMatchObject({ state: 'needs_you' });
  });

  test('a held source is not cut until somebody decides', async () => {
    const bench = await openRead();
    const gone = Object.fromEntries(Object.entries(site).slice(0, 2));
    await bench.read(gone);
    expect((await bench.read(gone)).state).toBe('held');
    await bench.addRule({ key: null, block: footer, action: 'keep' });
    expect(bench.jobs).toEqual([]);
    await bench.sources.discard({ ...bench.target, id: bench.id });
    await startDueCuts(bench.stores, bench.waking);
    await bench.finish();
    expect((await bench.revisions())['/item-a']).toBe(2);
  });

  test('rules of another workspace are not there', async () => {
    const [bench, other] = [await openRead({ '/a': first }), await openRead({ '/a': first })];
    const { id } = await bench.addRule({ key: null, block: footer, action: 'keep' });
    await expect(other.removeRule(id)).rejects.toMatchObject({ code: 'source_rule_not_found' });
    const target = { ...other.target, actor: namedActor('Eve'), sourceId: bench.id };
    await expect(other.addRuleTo(target, { key: null, block: footer, action: 'cut' })).rejects.toMatchObject({
      code: 'source_not_found',
    });
  });
});
