import { describe, expect, test } from 'vitest';
import type { RunDependencies } from '../../../../core/sources/runs/run-slice.ts';
import { listItems } from '../../../../core/sources/source-view.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { type RecordedAnswer, recordedTools } from '../../../helpers/sources/read-source.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const origin = 'https://acme.example';

/** A page with a menu and a footer that no name, role or element marks. */
function page(own: string, { title = own, menu = 'Products' } = {}): string {
  return `<title>${title}</title><div class="c1"><div>${menu}</div><div>Prices for all of them</div></div>
<div class="c2">${own}</div><div class="c3">Copyright by Acme</div>`;
}

const article = (name: string) =>
  `<h1>${name}</h1><p>All about ${name}: it weighs ${name.length} kilograms.</p>`;
const names = (count: number) =>
  Array.from({ length: count }, (_, place) => `item ${String.fromCodePoint(97 + place)}`);
const slug = (name: string) => `/${name.replaceAll(' ', '-')}`;

describe.each(testEngines)('pages of one website on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open() {
    const bench = new SourceBench(database, [website]);
    const workspaceId = await bench.workspace();
    const settings = { url: `${origin}/sitemap.xml`, follow: 'sitemap' };
    const id = await bench.create(workspaceId, { kind: 'website', settings, credentials: {} });
    const added: string[] = [];
    const run = async (pages: Readonly<Record<string, string>>) => {
      const answers = Object.entries(pages).map(([path, body]): [string, RecordedAnswer] => [
        origin + path,
        { body },
      ]);
      const list = Object.keys(pages).map((path) => `<url><loc>${origin}${path}</loc></url>`);
      const sitemap = {
        headers: { 'content-type': 'application/xml' },
        body: `<urlset>${list.join('')}</urlset>`,
      };
      const { tools, asked } = recordedTools({
        ...Object.fromEntries(answers),
        [`${origin}/sitemap.xml`]: sitemap,
      });
      const documents: RunDependencies['documents'] = {
        add: (document) => {
          added.push(Buffer.from(document.bytes).toString());
          return bench.documents.add(document);
        },
        delete: (...document) => bench.documents.delete(...document),
      };
      await bench.run(workspaceId, id, { fetch: tools.fetch, wait: async () => {}, documents });
      return asked.filter((address) => answers.some(([known]) => known === address));
    };
    const urls = async () => {
      const { items } = await bench.documents.list(workspaceId, { limit: 100 });
      return items.map(({ url }) => url);
    };
    const items = async () => {
      const stores = { database: database.kysely, clock: bench.dependencies.clock };
      return (await listItems(stores, { workspaceId, sourceId: id }, { limit: 100 })).items;
    };
    const sample = () =>
      database.kysely
        .selectFrom('source_page')
        .selectAll()
        .where('source_id', '=', id)
        .orderBy('key')
        .execute();
    return { bench, id, run, added, urls, items, sample };
  }

  const site = Object.fromEntries(names(20).map((name) => [slug(name), page(article(name))]));

  test('the first document is cut already, and no page is requested twice for that', async () => {
    const { run, added } = await open();
    expect((await run(site)).toSorted()).toEqual(Object.keys(site).map((path) => origin + path));
    expect(added).toHaveLength(20);
    expect(added.filter((text) => /Products|Prices|Copyright/.test(text))).toEqual([]);
    expect(added[0]).toContain('All about item a: it weighs 6 kilograms.');
  });

  test('the same text under two addresses is one document, which lists the other', async () => {
    const { bench, id, run, items } = await open();
    const own = `${article('item a')}<p>${'It lifts and it turns, with one hand or with two. '.repeat(4)}</p>`;
    const twins = {
      ...site,
      '/item-a': page(own),
      '/item-a?colour=red': page(own, { title: 'Item a in red' }),
    };
    await run(twins);
    expect(await bench.states(id)).toContain(`${origin}/item-a?colour=red skipped copy`);
    const folded = await items();
    expect(folded.find(({ key }) => key === `${origin}/item-a`)?.aliases).toEqual([
      `${origin}/item-a?colour=red`,
    ]);
    expect(folded.filter(({ aliases }) => aliases.length > 0)).toHaveLength(1);
    await run({ ...twins, '/item-a?colour=red': page(`${own}<p>Red costs 3 more.</p>`) });
    expect(await bench.states(id)).toContain(`${origin}/item-a?colour=red current`);
    expect((await items()).flatMap(({ aliases }) => aliases)).toEqual([]);
  });

  test('short texts with different titles are two pages', async () => {
    const { bench, id, run } = await open();
    const short = '<h1>Sold out</h1><p>Ask us by mail.</p>';
    await run({ ...site, '/x': page(short, { title: 'Crane' }), '/y': page(short, { title: 'Lathe' }) });
    expect((await bench.states(id)).filter((state) => /\/[xy] /.test(state))).toEqual([
      `${origin}/x current`,
      `${origin}/y current`,
    ]);
  });

  test('a shell is named as empty, and the earlier document of its address stays', async () => {
    const { bench, id, run, urls } = await open();
    await run(site);
    const shell = page('<div id="view">Loading…</div>');
    await run({ ...site, '/item-c': shell, '/new': shell });
    const states = await bench.states(id);
    expect(states.filter((state) => state.includes('empty'))).toEqual([
      `${origin}/item-c failed empty`,
      `${origin}/new failed empty`,
    ]);
    expect(await urls()).toContain(`${origin}/item-c`);
  });

  test('after a redesign the template is learnt anew, and the pages read before are cut again at the end of the run', async () => {
    const { run, added, sample } = await open();
    await run(site);
    const before = await sample();
    const redesigned = Object.fromEntries(
      names(20).map((name) => [
        slug(name),
        `<title>${name}</title><p>Machines</p><div>New prices</div><div class="x">${article(name)}</div><p>By Acme</p>`,
      ]),
    );
    added.length = 0;
    await run(redesigned);
    const isUncut = (text: string) => /Machines|New prices|By Acme/.test(text);
    expect(added.map(isUncut)).toEqual(added.map((_, place) => place < 3));
    expect(added.length).toBeGreaterThanOrEqual(23);
    added.length = 0;
    await run(redesigned);
    expect(added).toEqual([]);
    const after = await sample();
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(after[9]?.blocks).not.toEqual(before[9]?.blocks);
    expect(after[9]?.text_hash).toBe(before[9]?.text_hash);
  });

  test('an item that is gone takes its page with it', async () => {
    const { bench, id, run, sample } = await open();
    await run(site);
    await database.kysely
      .deleteFrom('source_item')
      .where('source_id', '=', id)
      .where('key', '=', `${origin}/item-a`)
      .execute();
    expect((await sample()).map(({ key }) => key)).not.toContain(`${origin}/item-a`);
    expect(await bench.states(id)).toHaveLength(19);
  });
});
