import { describe, expect, test } from 'vitest';
import { gitlabKind } from '../../../../../core/sources/tools/repositories/gitlab.ts';
import { shaOf } from '../../../../helpers/sources/tools/github.ts';
import { GitLabStandIn } from '../../../../helpers/sources/tools/gitlab.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, token = 'right-token') {
  const gitlab = new GitLabStandIn();
  gitlab.files.set('README.md', '# Acme');
  gitlab.files.set('docs/start.md', 'Go.');
  gitlab.files.set('docs/what?.md', 'Ask.');
  gitlab.files.set('docs/link.md', '-> ../README.md');
  gitlab.files.set('src/main.rb', 'code');
  const values = {
    settings: { project: 'acme/help/docs', ...settings },
    credentials: { ...(token && { token }) },
  };
  return { gitlab, bench: new ToolBench(gitlabKind, values, gitlab) };
}

const updated = '2026-01-01T00:00:00Z';

describe('a GitLab project', () => {
  test('gives its Markdown files as they are, page by page', async () => {
    const { bench } = open();
    expect(await bench.list()).toMatchObject({
      ...{ keys: ['file:README.md', 'file:docs/start.md', 'file:docs/what?.md'], pages: 3 },
    });
    expect(await bench.content('file:docs/start.md')).toMatchObject({
      ...{ text: 'Go.', contentType: 'text/markdown', fileName: 'start.md' },
    });
    expect((await bench.list()).items.at(-1)?.url).toBe(
      'https://gitlab.com/acme/help/docs/-/blob/main/docs/what%3F.md',
    );
  });

  test('is read from a folder', async () => {
    const { bench } = open({ folder: 'docs/' });
    expect((await bench.list()).keys).toEqual(['file:docs/start.md', 'file:docs/what?.md']);
  });

  test('is read again only where a file has changed', async () => {
    const { bench, gitlab } = open();
    await bench.run();
    gitlab.files.set('README.md', '# Acme 2');
    gitlab.files.delete('docs/start.md');
    expect(await bench.run()).toEqual({
      ...{ 'file:README.md': 'content', 'file:docs/start.md': 'missing', 'file:docs/what?.md': 'same' },
    });
  });

  test('gives issues with their notes, but nothing confidential, internal or of the system', async () => {
    const { bench, gitlab } = open({ files: false, issues: 'closed' });
    const notes = [
      { body: 'closed', system: true },
      { body: 'Secret', internal: true },
      { body: 'Update it.' },
    ];
    for (const iid of [1, 2, 3])
      gitlab.issues.set(iid, { title: `T${iid}`, description: 'Why?', updated_at: updated, notes });
    gitlab.issues.set(4, { title: 'Secret', description: 'S', updated_at: updated, confidential: true });
    gitlab.issues.set(5, { title: 'Open', description: 'S', updated_at: updated, state: 'opened' });
    expect(await bench.run()).toEqual({ 'issue:1': 'content', 'issue:2': 'content', 'issue:3': 'content' });
    expect(await bench.content('issue:2')).toMatchObject({
      ...{ text: '# T2\n\nWhy?\n\n## Reply\n\nUpdate it.\n', title: 'T2' },
      url: 'https://gitlab.com/acme/help/docs/-/issues/2',
    });
    expect(await bench.read('issue:4')).toMatchObject({ kind: 'skipped', code: 'restricted' });
    expect(await bench.read('issue:99')).toEqual({ kind: 'gone' });
  });

  test('gives files and open issues together', async () => {
    const { bench, gitlab } = open({ issues: 'all' });
    gitlab.issues.set(5, { title: 'Open', description: 'S', updated_at: updated, state: 'opened' });
    expect((await bench.list()).keys).toHaveLength(4);
  });

  test('without the right to a file fails there alone', async () => {
    const { bench, gitlab } = open();
    gitlab.forbidden.add(shaOf('Go.'));
    expect(await bench.run()).toMatchObject({
      'file:docs/start.md': 'no_permission',
      'file:README.md': 'content',
    });
  });

  test('waits for the limits of GitLab', async () => {
    const { bench } = open();
    const reset = String(bench.now.getTime() / 1_000 + 2);
    bench.next.push({ status: 429, headers: { 'ratelimit-reset': reset } });
    await bench.list();
    expect(bench.waits).toEqual([3_000]);
    bench.next.push({ status: 429, headers: { 'retry-after': '60' } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
  });

  test('is refused with the words of GitLab', async () => {
    await expect(open({}, 'wrong-token').bench.list()).rejects.toMatchObject({
      ...{
        name: 'SourceError',
        code: 'source_refused',
        message: 'GitLab answers with status 401: 401 Unauthorized',
      },
    });
    const missing = {
      code: 'source_missing',
      message: 'GitLab answers with status 404: 404 Project Not Found',
    };
    await expect(open({ project: 'acme/other' }).bench.list()).rejects.toMatchObject(missing);
    await expect(open({ branch: 'other' }).bench.list()).rejects.toMatchObject({ code: 'source_missing' });
  });

  test('can be public, and be read without a token', async () => {
    const { bench, gitlab } = open({}, '');
    gitlab.token = null;
    expect((await bench.list()).keys).toHaveLength(3);
  });

  test('never leads a token to another host or project', async () => {
    const { bench } = open();
    await bench.list();
    await bench.open().read({ key: 'issue:../../../users', validators: null });
    const hostile = { key: 'file:x.md', version: '..', validators: null };
    await expect(bench.open().read(hostile)).rejects.toMatchObject({ code: 'unusable_key' });
    const start = 'https://gitlab.com/api/v4/projects/acme%2Fhelp%2Fdocs';
    expect(bench.calls.filter(({ url }) => !url.href.startsWith(start))).toEqual([]);
    for (const project of ['acme', '../x', 'acme/..', 'a/b?c', '/a/b']) {
      expect(gitlabKind.settings.safeParse({ project }).success).toBe(false);
    }
  });
});
