import { describe, expect, test } from 'vitest';
import { confluenceKind } from '../../../../../core/sources/tools/wikis/confluence.ts';
import { ConfluenceStandIn } from '../../../../helpers/sources/tools/confluence.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, token = 'right-token') {
  const confluence = new ConfluenceStandIn();
  for (const id of ['1', '2', '3']) confluence.set(id);
  confluence.set('9', { space: 'INTERNAL' });
  const values = {
    settings: { site: 'https://acme.atlassian.net/wiki/', spaces: ['HELP'], ...settings },
    credentials: { email: 'ann@acme.example', token },
  };
  return { confluence, bench: new ToolBench(confluenceKind, values, confluence) };
}

describe('the pages of Confluence', () => {
  test('of the chosen spaces are listed page by page and read as HTML', async () => {
    const { bench } = open();
    expect(await bench.list()).toMatchObject({ keys: ['1', '2', '3'], pages: 4 });
    expect(await bench.content('3')).toMatchObject({
      ...{
        text: '<p>Section: Space HELP</p><p>Text 3</p>',
        title: 'Page 3',
        contentType: 'text/html; charset=utf-8',
      },
      url: 'https://acme.atlassian.net/wiki/spaces/HELP/pages/3',
    });
  });

  test('of a site in the cloud are found below its path, also if the setting leaves it out', async () => {
    const { bench } = open({ site: 'https://acme.atlassian.net' });
    expect((await bench.list()).items[0]?.url).toBe('https://acme.atlassian.net/wiki/spaces/HELP/pages/1');
  });

  test('of an own server are read with its addresses and a personal access token', async () => {
    const confluence = new ConfluenceStandIn({ isCloud: false });
    for (const id of ['1', '2', '3']) confluence.set(id);
    const settings = { site: 'https://confluence.acme.example', spaces: ['HELP', 'FAQ'] };
    const bench = new ToolBench(
      confluenceKind,
      { settings, credentials: { token: 'right-token' } },
      confluence,
    );
    expect(await bench.list()).toMatchObject({ keys: ['1', '2', '3'], pages: 4 });
    expect(await bench.content('2')).toMatchObject({
      ...{
        text: '<p>Section: Space HELP</p><p>Text 2</p>',
        url: 'https://confluence.acme.example/spaces/HELP/pages/2',
      },
    });
  });

  test('are read again only after a change, and are missing from the list after a deletion', async () => {
    const { bench, confluence } = open();
    await bench.run();
    confluence.set('1', { number: 2 });
    confluence.pages.delete('2');
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'missing', 3: 'same' });
  });

  test('that are restricted, or below a restricted page, are left out unless the setting says otherwise', async () => {
    const { bench, confluence } = open();
    confluence.set('9', { readers: ['Ann'] });
    confluence.set('1', { readers: ['Ann'] });
    confluence.set('2', { parents: ['9'] });
    confluence.set('3', { parents: ['deleted'] });
    confluence.set('4', { parents: ['5'] });
    confluence.set('5');
    expect(await bench.run()).toEqual({
      1: 'restricted',
      2: 'restricted',
      3: 'restricted',
      4: 'content',
      5: 'content',
    });
    const all = open({ restricted: 'include' });
    all.confluence.set('1', { readers: ['Ann'] });
    expect(await all.bench.run()).toEqual({ 1: 'content', 2: 'content', 3: 'content' });
  });

  test('that are archived or empty are left out', async () => {
    const { bench, confluence } = open();
    confluence.set('1', { status: 'archived' });
    confluence.set('2', { html: ' ' });
    expect(await bench.run()).toEqual({ 1: 'not_current', 2: 'empty', 3: 'content' });
  });

  test('that the account may not open fail alone, and those that vanish are gone', async () => {
    const { bench, confluence } = open();
    confluence.forbidden.add('2');
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'no_permission', 3: 'content' });
    expect(await bench.read('99')).toEqual({ kind: 'gone' });
  });

  test('wait for the limit of Confluence', async () => {
    const { bench } = open();
    bench.next.push({ status: 429, headers: { 'retry-after': '2' } });
    await bench.list();
    expect(bench.waits).toEqual([2_000]);
    bench.next.push({ status: 429, headers: { 'retry-after': '1800' } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 1_800_000 });
  });

  test('are refused with the words of Confluence if the token is wrong', async () => {
    await expect(open({}, 'wrong-token').bench.list()).rejects.toMatchObject({
      ...{ name: 'SourceError', code: 'source_refused' },
      message: 'Confluence answers with status 401: Client must be authenticated to access this resource.',
    });
  });

  test('never lead a token to another host, resource or space', async () => {
    const { bench } = open();
    await bench.read('../../users/1');
    await expect(bench.open().read({ key: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    expect(bench.calls.filter(({ url }) => url.origin !== 'https://acme.atlassian.net')).toEqual([]);
    expect(bench.calls.at(-1)?.url.pathname).toBe('/wiki/api/v2/pages/..%2F..%2Fusers%2F1');
    const site = 'https://acme.atlassian.net/wiki';
    for (const key of ['A" or space = "B', '']) {
      expect(confluenceKind.settings.safeParse({ site, spaces: [key] }).success).toBe(false);
    }
  });
});
