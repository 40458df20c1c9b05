import { describe, expect, test } from 'vitest';
import { intercomKind } from '../../../../../core/sources/tools/help-centers/intercom.ts';
import { IntercomStandIn } from '../../../../helpers/sources/tools/intercom.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, token = 'right-token') {
  const intercom = new IntercomStandIn();
  for (const id of ['1', '2', '3']) intercom.set(id);
  return {
    intercom,
    bench: new ToolBench(intercomKind, { settings, credentials: { access_token: token } }, intercom),
  };
}

describe('the articles of Intercom', () => {
  test('are listed page by page and read as HTML with their public address', async () => {
    const { bench, intercom } = open();
    intercom.set('2', { url: null });
    expect(await bench.list()).toMatchObject({ keys: ['1', '2', '3'], pages: 2 });
    expect(await bench.content('3')).toMatchObject({
      ...{ text: '<p>Text 3</p>', title: 'Article 3', contentType: 'text/html; charset=utf-8' },
      url: 'https://help.acme.example/en/articles/3',
    });
    expect((await bench.content('2')).url).toBeUndefined();
  });

  test('of another region are read there', async () => {
    const intercom = new IntercomStandIn('https://api.eu.intercom.io');
    intercom.set('1');
    const values = { settings: { region: 'eu' }, credentials: { access_token: 'right-token' } };
    expect((await new ToolBench(intercomKind, values, intercom).list()).keys).toEqual(['1']);
  });

  test('are read again only after a change, and are missing from the list after a deletion', async () => {
    const { bench, intercom } = open();
    await bench.run();
    intercom.set('1', { updated_at: 1_760_000_000 });
    intercom.articles.delete('2');
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'missing', 3: 'same' });
  });

  test('that are drafts or empty are left out with a reason', async () => {
    const { bench, intercom } = open();
    intercom.set('1', { state: 'draft' });
    intercom.set('2', { body: '' });
    expect(await bench.run()).toEqual({ 1: 'draft', 2: 'empty', 3: 'content' });
    expect((await bench.list()).leftOut[0]).toMatchObject({
      key: '1',
      reason: 'The article is not published.',
    });
  });

  test('are read in each published language if the setting says so', async () => {
    const { bench, intercom } = open({ translations: true });
    const content = { type: 'article_content', state: 'published', url: null, updated_at: 1 };
    const translated_content = {
      ...{ type: 'article_translated_content', en: { ...content, title: 'Same', body: 'Same' } },
      ...{
        de: { ...content, title: 'Artikel', body: '<p>Text</p>' },
        fr: { ...content, state: 'draft' },
        it: null,
      },
    };
    intercom.set('1', { translated_content });
    expect(await bench.run()).toEqual({
      1: 'content',
      '1:de': 'content',
      '1:fr': 'draft',
      2: 'content',
      3: 'content',
    });
    expect(await bench.content('1:de')).toMatchObject({ text: '<p>Text</p>', title: 'Artikel' });
    intercom.set('1', { translated_content: {} });
    expect(await bench.run()).toMatchObject({ 1: 'same', '1:de': 'missing' });
    expect(await bench.read('1:de')).toEqual({ kind: 'gone' });
  });

  test('that the app may not open fail alone, and those that vanish are gone', async () => {
    const { bench, intercom } = open();
    intercom.forbidden.add('2');
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'no_permission', 3: 'content' });
    expect(await bench.read('99')).toEqual({ kind: 'gone' });
  });

  test('wait for the limit of Intercom', async () => {
    const { bench } = open();
    const reset = (seconds: number) => String(bench.now.getTime() / 1_000 + seconds);
    bench.next.push({ status: 429, headers: { 'x-ratelimit-reset': reset(1) } });
    await bench.list();
    expect(bench.waits).toEqual([2_000]);
    bench.next.push({ status: 429, headers: { 'x-ratelimit-reset': reset(30) } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 31_000 });
  });

  test('are refused with the words of Intercom if the token is wrong', async () => {
    await expect(open({}, 'wrong-token').bench.list()).rejects.toMatchObject({
      ...{
        name: 'SourceError',
        code: 'source_refused',
        message: 'Intercom answers with status 401: Access Token Invalid',
      },
    });
  });

  test('never lead a token to another host or resource', async () => {
    const { bench } = open();
    await bench.read('../contacts/1');
    await expect(bench.open().read({ key: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    expect(bench.calls.filter(({ url }) => url.origin !== 'https://api.intercom.io')).toEqual([]);
    expect(bench.calls.at(-1)?.url.pathname).toBe('/articles/..%2Fcontacts%2F1');
  });
});
