import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../../core/contract/actor.ts';
import { scopePattern } from '../../../../core/sources/website/discovery/scope.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { type RecordedAnswer, recordedTools } from '../../../helpers/sources/read-source.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const origin = 'https://acme.example';

describe('the scope', () => {
  test.each([
    ['/', '/**'],
    ['', '/**'],
    ['/help', '/help/**'],
    ['/help/', '/help/**'],
    ['/docs/v1.2', '/docs/v1.2/**'],
    ['/docs/index.html', '/docs/**'],
    ['/docs/sitemap.xml', '/docs/**'],
    ['/blog/feed', '/blog/**'],
    ['/llms.txt', '/**'],
    ['/h%C3%BClfe/a', '/hülfe/a/**'],
  ])('of the start %s is %s', (path, pattern) => {
    expect(scopePattern({ url: origin + path })).toBe(pattern);
  });

  test('is the one of the settings, if they have one', () => {
    expect(scopePattern({ url: `${origin}/help`, scope: '/**' })).toBe('/**');
  });
});

/** A page of its own words, which links to others. */
function page(name: string, links: readonly string[] = [], head = ''): RecordedAnswer {
  return { body: htmlPage({ title: name, text: `${name} has ${name.length + 40} words.`, links, head }) };
}

const xml = (body: string): RecordedAnswer => ({ headers: { 'content-type': 'application/xml' }, body });
const sitemap = (...paths: readonly string[]) =>
  xml(`<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`);
const feed = (...paths: readonly string[]) =>
  xml(
    `<rss><channel>${paths.map((path) => `<item><link>${origin}${path}</link></item>`).join('')}</channel></rss>`,
  );

function toolsFor(pages: Answers) {
  const answers = Object.entries(pages).map(([path, answer]) => [origin + path, answer]);
  const { tools, asked } = recordedTools(Object.fromEntries(answers));
  return { fetch: tools.fetch, wait: async () => {}, asked };
}

type Answers = Readonly<Record<string, RecordedAnswer>>;

describe.each(testEngines)('discovery on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(settings: Readonly<Record<string, unknown>> = {}) {
    const bench = new SourceBench(database, [website]);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, {
      ...{ kind: 'website', credentials: {}, maxItems: 500 },
      settings: { url: `${origin}/`, prefer_markdown: false, ...settings },
    });
    const run = async (pages: Answers, options: { readonly sliceMs?: number } = {}) => {
      const { asked, ...tools } = toolsFor(pages);
      const record = await bench.run(workspaceId, id, { ...tools, ...options });
      return { record, asked: asked.map((address) => address.slice(origin.length)) };
    };
    const states = async () => (await bench.states(id)).map((state) => state.slice(origin.length)).toSorted();
    return { bench, workspaceId, id, run, states };
  }

  const site: Answers = {
    '/': page(
      'Start',
      ['/a', '/secret'],
      '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
    ),
    '/sitemap.xml': sitemap('/a', '/b'),
    '/feed.xml': feed('/post'),
    '/a': page('Page a', ['/b', '/a/more']),
    '/b': page('Page b', [], '<link rel="alternate" type="application/rss+xml" href="/b/feed/">'),
    '/post': page('A post', ['/post/beyond']),
    '/post/beyond': page('Beyond the post'),
    '/secret': page('Secret', ['/too-far']),
    '/a/more': page('More of a', ['/too-far']),
    '/too-far': page('Too far'),
  };

  test('reads the sitemap, the feeds of the site and one step beyond, and counts what is not listed', async () => {
    const { run, states } = await open();
    const { record, asked } = await run(site);
    expect(await states()).toEqual([
      '/ current',
      '/a current',
      '/a/more current',
      '/b current',
      '/feed.xml skipped list',
      '/post current',
      '/post/beyond current',
      '/secret current',
    ]);
    expect(record.unlisted).toBe(3);
    // The feed of the comments of a page says nothing new.
    expect(asked).not.toContain('/b/feed/');
    expect((await run(site)).record.unlisted).toBe(3);
  });

  test('leaves out what is not listed if it is told to, without a request, and still counts it', async () => {
    const { run, states } = await open({ read_unlisted: false });
    const { record, asked } = await run(site);
    expect(record.unlisted).toBe(3);
    expect((await states()).filter((state) => state.endsWith('unlisted'))).toEqual([
      '/a/more skipped unlisted',
      '/post/beyond skipped unlisted',
      '/secret skipped unlisted',
    ]);
    expect(asked).not.toContain('/secret');
    expect(await states()).toContain('/post current');
  });

  test('reads only below the path of the start, unless the pattern is removed', async () => {
    const pages: Answers = {
      ...site,
      '/help': page('Help', ['/help/x', '/a']),
      '/help/x': page('Help with x', ['/helpful', '/a']),
      '/help/gone': { status: 301, headers: { location: '/b' } },
      '/helpful': page('Not help'),
      '/sitemap.xml': sitemap('/help', '/help/gone', '/a', '/b'),
    };
    const { bench, workspaceId, id, run, states } = await open({ url: `${origin}/help` });
    await run(pages);
    expect(await states()).toEqual([
      '/a skipped out_of_scope',
      '/b skipped out_of_scope',
      '/help current',
      '/help/gone skipped out_of_scope',
      '/help/x current',
    ]);
    const settings = { url: `${origin}/help`, prefer_markdown: false, scope: '/**' };
    await bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { settings });
    await bench.work(toolsFor(pages));
    expect(await states()).toEqual([
      '/ current',
      '/a current',
      '/a/more current',
      '/b current',
      '/help current',
      '/help/gone skipped moved',
      '/help/x current',
    ]);
  });

  test('a start that redirects out of its path says where to', async () => {
    const { run } = await open({ url: `${origin}/help` });
    const { record } = await run({
      ...site,
      '/support/': page('Support'),
      '/help': { status: 302, headers: { location: '/support/' } },
    });
    expect(record).toMatchObject({ state: 'failed', code: 'start_moved' });
    expect(record.reason).toContain(`${origin}/support/`);
  });

  test('bounds the variants of a path over all slices and runs', async () => {
    const shop = (from: number) =>
      page(
        `Shop ${from}`,
        Array.from({ length: 30 }, (_, place) => `/shop?v=${from + place}`),
      );
    const paths = ['/s0', '/s1', '/s2', '/s3'];
    const pages: Record<string, RecordedAnswer> = {
      '/': page('Start', paths),
      ...Object.fromEntries(paths.map((path, place) => [path, shop(place * 30)])),
    };
    for (let number = 0; number < 180; number += 1)
      pages[`/shop?v=${number}`] = page(`Variant ${'x'.repeat(number)}`);
    const { run, states } = await open({ follow: 'links' });
    const variants = async () => (await states()).filter((state) => state.startsWith('/shop?'));
    await run(pages, { sliceMs: 1 });
    expect(await variants()).toHaveLength(50);
    await run({ ...pages, '/s0': shop(150) }, { sliceMs: 1 });
    expect(await variants()).toHaveLength(50);
  });
});
