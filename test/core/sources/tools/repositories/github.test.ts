import { describe, expect, test } from 'vitest';
import { githubKind } from '../../../../../core/sources/tools/repositories/github.ts';
import { GitHubStandIn, shaOf } from '../../../../helpers/sources/tools/github.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, token: string | undefined = 'right-token') {
  const github = new GitHubStandIn();
  github.files.set('README.md', '# Acme');
  github.files.set('docs/start.md', '---\ntitle: Start\n---\nGo.');
  github.files.set('docs/how to/what?.mdx', 'Ask #1.');
  github.files.set('docs/logo.png', 'png');
  github.files.set('src/main.ts', 'code');
  const values = {
    settings: { repository: 'acme/docs', ...settings },
    credentials: { ...(token && { token }) },
  };
  return { github, bench: new ToolBench(githubKind, values, github) };
}

const all = ['file:README.md', 'file:docs/how to/what?.mdx', 'file:docs/start.md'];

describe('a GitHub repository', () => {
  test('gives its Markdown files as they are, each with its address on the site', async () => {
    const { bench } = open();
    expect((await bench.list()).keys).toEqual(all);
    expect(await bench.content('file:docs/start.md')).toMatchObject({
      ...{ text: '---\ntitle: Start\n---\nGo.', contentType: 'text/markdown', fileName: 'start.md' },
    });
    const { items } = await bench.list();
    expect(items.map(({ url }) => url)).toContain(
      'https://github.com/acme/docs/blob/main/docs/how%20to/what%3F.mdx',
    );
  });

  test('is read from a branch and a folder, without symbolic links', async () => {
    const { bench, github } = open({ branch: 'release/2', folder: '/docs/' });
    github.files.set('docs/link.md', '-> ../README.md');
    expect((await bench.list()).keys).toEqual(all.slice(1));
    expect(bench.calls.map(({ url }) => url.pathname)).toContain('/repos/acme/docs/branches/release%2F2');
  });

  test('that is too large for one list is listed folder by folder', async () => {
    const { bench, github } = open({ folder: 'docs' });
    github.mostEntries = 4;
    github.files.set('docs/a/b/deep.md', 'Deep.');
    const { keys, pages } = await bench.list();
    expect(keys).toEqual(['file:docs/a/b/deep.md', ...all.slice(1)]);
    expect(pages).toBeGreaterThan(1);
    expect(bench.calls.some(({ path }) => path.at(-1) === 'tree:src')).toBe(false);
    github.mostEntries = 1;
    await expect(bench.list()).rejects.toMatchObject({ code: 'too_large' });
  });

  test('is read again only where a file has changed', async () => {
    const { bench, github } = open();
    await bench.run();
    github.files.set('empty.md', '');
    github.files.set('README.md', '# Acme 2');
    github.files.delete('docs/start.md');
    expect(await bench.run()).toEqual({
      'file:empty.md': 'empty',
      ...{
        'file:README.md': 'content',
        'file:docs/how to/what?.mdx': 'same',
        'file:docs/start.md': 'missing',
      },
    });
  });

  test('gives closed issues with their comments, without pull requests', async () => {
    const { bench, github } = open({ files: false, issues: 'closed' });
    const updated = '2026-01-01T00:00:00Z';
    github.issues.set(1, { title: 'It breaks', body: 'Why?', updated, comments: ['Update it.', ' '] });
    github.issues.set(2, { title: 'Pull', body: 'Code', updated, isPullRequest: true });
    github.issues.set(3, { title: 'Empty', body: null, updated });
    github.issues.set(4, { title: 'Open', body: 'Text', updated, isOpen: true });
    expect(await bench.run()).toEqual({ 'issue:1': 'content', 'issue:3': 'empty' });
    expect(await bench.content('issue:1')).toMatchObject({
      ...{ text: '# It breaks\n\nWhy?\n\n## Reply\n\nUpdate it.\n', title: 'It breaks' },
      url: 'https://github.com/acme/docs/issues/1',
    });
    github.issues.set(1, { title: 'It breaks', body: 'Why?', updated: '2026-02-01T00:00:00Z' });
    expect(await bench.run()).toMatchObject({ 'issue:1': 'content' });
    expect(await bench.read('issue:99')).toEqual({ kind: 'gone' });
  });

  test('gives answered discussions, the answer first', async () => {
    const { bench, github } = open({ discussions: 'answered' });
    const updated = '2026-01-01T00:00:00Z';
    for (const number of [5, 6, 7]) {
      const comments = ['Perhaps.', 'Do this.'];
      github.discussions.set(number, {
        title: 'How?',
        body: 'Please',
        updated,
        comments,
        answer: 'Do this.',
      });
    }
    github.discussions.set(8, { title: 'Open', body: 'Hm', updated });
    expect((await bench.list()).keys).toEqual(['discussion:5', 'discussion:6', 'discussion:7', ...all]);
    expect((await bench.content('discussion:5')).text).toBe(
      '# How?\n\nPlease\n\n## Answer\n\nDo this.\n\n## Reply\n\nPerhaps.\n',
    );
    expect(await bench.read('discussion:99')).toEqual({ kind: 'gone' });
  });

  test('without the right to a file fails there alone', async () => {
    const { bench, github } = open();
    github.forbidden.add(shaOf('# Acme'));
    expect(await bench.run()).toMatchObject({
      'file:README.md': 'no_permission',
      'file:docs/start.md': 'content',
    });
  });

  test('waits for the limits of GitHub, also for the secondary ones and those of its graph', async () => {
    const { bench } = open({ files: false, discussions: 'all' });
    const reset = String(bench.now.getTime() / 1_000 + 600);
    bench.next.push({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 601_000 });
    bench.next.push({ status: 403, json: { message: 'You have exceeded a secondary rate limit.' } });
    bench.next.push({ json: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] } });
    await bench.list();
    expect(bench.waits).toEqual([1_000, 2_000]);
  });

  test('is refused with the words of GitHub', async () => {
    await expect(open({}, 'wrong-token').bench.list()).rejects.toMatchObject({
      ...{
        name: 'SourceError',
        code: 'source_refused',
        message: 'GitHub answers with status 401: Bad credentials',
      },
    });
    const missing = open({ repository: 'acme/other' });
    await expect(missing.bench.list()).rejects.toMatchObject({ code: 'source_missing' });
    const discussions = open({ repository: 'acme/other', files: false, discussions: 'all' });
    await expect(discussions.bench.list()).rejects.toThrow('Could not resolve to a Repository');
  });

  test('can be public, and be read without a token', async () => {
    const { bench, github } = open({}, '');
    github.token = null;
    expect((await bench.list()).keys).toEqual(all);
    expect(bench.calls.some(({ headers }) => headers.has('authorization'))).toBe(false);
  });

  test('of an own server is read there', async () => {
    const github = new GitHubStandIn('https://github.acme.example', ['api', 'v3']);
    github.files.set('a.md', 'Text');
    const settings = { repository: 'acme/docs', server: 'https://github.acme.example/' };
    const bench = new ToolBench(githubKind, { settings, credentials: { token: 'right-token' } }, github);
    expect((await bench.list()).items).toMatchObject([
      { key: 'file:a.md', url: 'https://github.acme.example/acme/docs/blob/main/a.md' },
    ]);
    expect((await bench.content('file:a.md')).text).toBe('Text');
  });

  test('never leads a token to another host or repository', async () => {
    const { bench, github } = open({ issues: 'all' });
    const updated = '2026-01-01T00:00:00Z';
    for (const number of [1, 2, 3]) github.issues.set(number, { title: 'T', body: 'B', updated });
    expect((await bench.list()).keys).toHaveLength(6);
    await bench.open().read({ key: 'issue:../../other', validators: null });
    const key = 'file:../x.md';
    await expect(bench.open().read({ key, version: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    expect(
      bench.calls.every(({ url }) => url.href.startsWith('https://api.github.com/repos/acme/docs')),
    ).toBe(true);
    for (const repository of ['acme/..', 'acme/docs/issues', 'acme', '../docs']) {
      expect(githubKind.settings.safeParse({ repository }).success).toBe(false);
    }
    for (const server of ['ftp://x.example', 'https://user:pw@x.example', 'https://x.example/?a=1', 'x']) {
      expect(githubKind.settings.safeParse({ repository: 'acme/docs', server }).success).toBe(false);
    }
  });
});
