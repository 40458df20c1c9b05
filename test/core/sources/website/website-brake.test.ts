import { afterAll, describe, expect, test } from 'vitest';
import { website } from '../../../../core/sources/website/website.ts';
import { openSite } from '../../../helpers/sources/site.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';

const database = await openTestDatabase('embedded');

/** A site of 75 pages with a sitemap, read once and indexed. */
async function open() {
  const site = await openSite({ hasTraps: false, sections: 2 });
  afterAll(() => site.close());
  site.offerSitemap();
  const bench = new SourceBench(database, [website]);
  const workspaceId = await bench.workspace();
  const settings = { url: `${site.origin}/` };
  const id = await bench.create(workspaceId, { kind: 'website', settings, credentials: {}, maxItems: 500 });
  const run = () => bench.run(workspaceId, id, { allowPrivate: true, wait: async () => {} });
  await run();
  await bench.index(workspaceId);
  const document = async (path: string) => {
    const items = await bench.items(id);
    return items.find(({ key }) => key === site.address(path))?.document_id ?? null;
  };
  return {
    site,
    bench,
    run,
    document,
    source: () => bench.sources.get(workspaceId, id),
    pages: site.wanted.length,
  };
}

const page = (title: string) => ({ body: htmlPage({ title, text: `${title} has a text of its own.` }) });

describe('a website with a sitemap', () => {
  test('is checked in spite of its dates, and a date that lies costs it their trust', async () => {
    const { site, run, source } = await open();
    // Pages that were cut before the template of the site was known are read again once.
    await run();
    site.set('/docs/s1/p1', page('Another text'));
    expect(await run()).toMatchObject({ state: 'finished', counts: { changed: 1 } });
    expect((await source()).lastmodDistrust).toMatchObject({ sample: site.address('/docs/s1/p1') });
  });

  test('loses a page that answers 410 at once, and one that is neither there nor listed', async () => {
    const { site, run, document, pages, source } = await open();
    site.set('/docs/s1/p1', { status: 410 });
    site.remove('/docs/s1/p2');
    site.set('/docs/s1/p3', { status: 404 });
    expect(await run()).toMatchObject({ counts: { removed: 2, gone: 3 } });
    expect(await document('/docs/s1/p1')).toBeNull();
    expect(await document('/docs/s1/p2')).toBeNull();
    expect(await document('/docs/s1/p3')).not.toBeNull();
    expect(await source()).toMatchObject({ documents: pages - 2, troubles: [{ code: 'gone', items: 1 }] });
  });

  test('moves a page (301) without a gap: the document keeps its id', async () => {
    const { site, run, document, source, pages } = await open();
    const before = await document('/docs/s1/p1');
    site.set('/docs/s1/p1', { status: 301, headers: { location: '/docs/a-new-place' } });
    site.set('/docs/a-new-place', page('A new place'));
    expect(await run()).toMatchObject({ state: 'finished', counts: { removed: 0 } });
    expect(await document('/docs/a-new-place')).toBe(before);
    expect((await source()).documents).toBe(pages);
  });

  test('that loses most of its pages keeps their documents until it is back', async () => {
    const { site, run, source, pages } = await open();
    const lost = site.wanted.slice(10, 50).map((address) => address.slice(site.origin.length));
    for (const path of lost) site.set(path, { status: 410 });
    expect(await run()).toMatchObject({ state: 'held' });
    expect(await source()).toMatchObject({ state: 'held', documents: pages, hold: { removed: 40 } });
    for (const [at, path] of lost.entries()) site.set(path, page(`Back ${'again '.repeat(at)}`));
    expect(await run()).toMatchObject({ state: 'finished' });
    expect(await source()).toMatchObject({ hold: null, documents: pages });
  });

  test('whose pages all become a sign-in is held', async () => {
    const { site, run, source } = await open();
    const all = site.wanted.map((address) => address.slice(site.origin.length));
    for (const path of all.filter((each) => each !== '/')) site.set(path, page('Please sign in to continue'));
    expect(await run()).toMatchObject({ state: 'held' });
    expect((await source()).hold?.rules).toContain('pages_alike');
  });
});
