import { describe, expect, test } from 'vitest';
import { groupByPath } from '../../../../core/sources/preview/path-groups.ts';
import { previewSource } from '../../../../core/sources/preview/preview.ts';
import type { AnySourceKind } from '../../../../core/sources/source-kinds.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { lentThreads } from '../../../helpers/platforms/connector-tools.ts';
import { type RecordedAnswer, recordedTools } from '../../../helpers/sources/read-source.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';

const origin = 'https://acme.example';

describe('groups of paths', () => {
  const grouped = (...paths: readonly string[]) =>
    groupByPath(paths.map((path) => ({ key: origin + path, url: origin + path }))).map(
      ({ pattern, items }) => `${pattern} ${items.length}`,
    );

  test('part where the paths part, the largest first', () => {
    expect(grouped('/', '/about', '/docs/', '/docs/a', '/docs/x/b', '/blog/1')).toEqual([
      '/docs/** 3',
      '/* 2',
      '/blog/** 1',
    ]);
    expect(grouped('/en/docs/a', '/en/docs/b', '/en/blog/1')).toEqual(['/en/docs/** 2', '/en/blog/** 1']);
    expect(grouped('/help/a', '/help/b')).toEqual(['/help/* 2']);
    expect(grouped()).toEqual([]);
  });

  test('are at most 20, and keys of files are paths', () => {
    const paths = Array.from({ length: 30 }, (_, place) => `/f${place}/a`);
    const groups = grouped(...paths, '/f1/b');
    expect(groups).toHaveLength(20);
    expect(groups[0]).toBe('/f1/** 2');
    expect(groups.at(-1)).toBe('null 11');
    expect(groupByPath([{ key: 'guides/a.md' }, { key: 'b.md' }]).map(({ pattern }) => pattern)).toEqual([
      '/guides/**',
      '/*',
    ]);
  });
});

describe('a preview of a website', () => {
  const page = (name: string, links: readonly string[] = []): RecordedAnswer => ({
    body: htmlPage({ title: name, text: `${name} says what only it knows.`, links }),
  });
  const shell = { body: '<div id="root"></div><script src="app.js"></script>' };
  const paths = (folder: string, count: number) =>
    Array.from({ length: count }, (_, place) => `/${folder}/${place}`);
  const listed = ['/about', ...paths('docs', 60), ...paths('blog', 8), ...paths('app', 5)];
  const urls = listed.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
  const answers: Record<string, RecordedAnswer> = {
    '/': page('Start', ['/docs/0', '/hidden-gem']),
    '/sitemap.xml': { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` },
    '/hidden-gem': page('Gem'),
    ...Object.fromEntries(listed.map((path) => [path, path.startsWith('/app/') ? shell : page(path)])),
  };

  async function preview(settings: Readonly<Record<string, unknown>>, extra = {}) {
    const all = Object.entries({ ...answers, ...extra }).map(([path, answer]) => [origin + path, answer]);
    const { tools, asked } = recordedTools(Object.fromEntries(all));
    const kind: AnySourceKind = {
      ...website,
      open: ({ settings: given, credentials }, parts) =>
        website.open(
          { settings: website.settings.parse(given), credentials: website.credentials.parse(credentials) },
          parts,
        ),
    };
    const parts = { threads: lentThreads, allowPrivate: false, fetch: tools.fetch, wait: async () => {} };
    const result = await previewSource(
      { ...parts, clock: { now: () => new Date('2026-11-26T12:00:00Z') } },
      {
        ...{ workspaceId: 'ws_1', kind, credentials: {}, include: [], exclude: [] },
        settings: { prefer_markdown: false, ...settings },
      },
    );
    return { result, asked: asked.map((address) => address.slice(origin.length)) };
  }

  test('looks at a page of each group first, and tells what is covered and what is not listed', async () => {
    const { result, asked } = await preview({ url: `${origin}/` });
    const groups = result.groups.map(({ sample, ...group }) => ({ ...group, sample: sample?.outcome }));
    expect(groups).toMatchObject([
      { pattern: '/docs/**', listed: 60, sample: 'read' },
      { pattern: '/blog/**', listed: 8, unlisted: 0, sample: 'read' },
      { pattern: '/app/**', listed: 5, read: 0, sample: 'failed' },
      { pattern: '/*', listed: 3, unlisted: 1, sample: 'read' },
    ]);
    expect(result).toMatchObject({ listed: 76, covered: 71, unlisted: 1, scope: null, isWhole: true });
    const folders = asked
      .filter((path) => /^\/(?:docs|blog|app)\//.test(path))
      .map((path) => path.split('/')[1]);
    expect(new Set(folders.slice(0, 3))).toEqual(new Set(['docs', 'blog', 'app']));
    expect(result.items.filter(({ outcome }) => outcome !== 'not_read')).toHaveLength(50);
  });

  test('says what lies outside of the scope', async () => {
    const { result } = await preview({ url: `${origin}/docs/` }, { '/docs/': page('Docs') });
    expect(result).toMatchObject({ scope: '/docs/**', outside: 14, listed: 61 });
    const { result: all } = await preview(
      { url: `${origin}/docs/`, scope: '/**' },
      { '/docs/': page('Docs') },
    );
    expect(all).toMatchObject({ scope: null, outside: 0 });
  });
});
