import { describe, expect, test } from 'vitest';
import { zendeskKind } from '../../../../../core/sources/tools/help-centers/zendesk.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';
import { ZendeskStandIn } from '../../../../helpers/sources/tools/zendesk.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, apiToken = 'right-token') {
  const zendesk = new ZendeskStandIn();
  for (const id of [1, 2, 3]) zendesk.set(id);
  const values = {
    settings: { subdomain: 'acme', ...settings },
    credentials: { email: 'ann@acme.example', api_token: apiToken },
  };
  return { zendesk, bench: new ToolBench(zendeskKind, values, zendesk) };
}

describe('the articles of a Zendesk help center', () => {
  test('are listed page by page and read as HTML with their public address', async () => {
    const { bench } = open();
    expect(await bench.list()).toMatchObject({ keys: ['1', '2', '3'], pages: 2 });
    expect(await bench.content('3')).toMatchObject({
      ...{
        text: '<p>Section: Billing › Money › Refunds</p><p>Text 3</p>',
        title: 'Article 3',
        contentType: 'text/html; charset=utf-8',
      },
      url: 'https://help.acme.example/hc/en-us/articles/3',
    });
  });

  test('are read in the language of the setting', async () => {
    const { bench } = open({ locale: 'de' });
    await bench.content('1');
    expect(bench.calls.every(({ url }) => url.pathname.startsWith('/api/v2/help_center/de/articles'))).toBe(
      true,
    );
  });

  test('are read again only after a change, and are missing from the list after a deletion', async () => {
    const { bench, zendesk } = open();
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'content', 3: 'content' });
    zendesk.set(2, { updated_at: '2026-02-01T00:00:00Z' });
    zendesk.articles.delete(3);
    expect(await bench.run()).toEqual({ 1: 'same', 2: 'content', 3: 'missing' });
  });

  test('that are drafts or restricted are left out with a reason', async () => {
    const { bench, zendesk } = open();
    zendesk.set(1, { draft: true });
    zendesk.set(2, { user_segment_id: 9 });
    expect(await bench.run()).toEqual({ 1: 'draft', 2: 'restricted', 3: 'content' });
    expect((await bench.list()).leftOut[1]).toMatchObject({
      reason: 'Only a user segment of Zendesk may see the article.',
    });
  });

  test('that are restricted get an audience if the setting says so, also after a change of the segment alone', async () => {
    const { bench, zendesk } = open({ restricted: 'audience' });
    await bench.run();
    zendesk.set(2, { user_segment_id: 9, user_segment_ids: [9, 10] });
    expect(await bench.run()).toEqual({ 1: 'same', 2: 'content', 3: 'same' });
    expect((await bench.content('2')).audience).toEqual(['zendesk_segment_9', 'zendesk_segment_10']);
    expect((await bench.content('1')).audience).toBeUndefined();
  });

  test('that the agent may not open fail alone', async () => {
    const { bench, zendesk } = open();
    zendesk.forbidden.add('2');
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'no_permission', 3: 'content' });
  });

  test('that vanish between the list and their reading are gone', async () => {
    const { bench } = open();
    expect(await bench.read('99')).toEqual({ kind: 'gone' });
  });

  test('wait for a short limit, and give their turn away for a long one', async () => {
    const { bench } = open();
    bench.next.push({ status: 429, headers: { 'retry-after': '3' } });
    expect((await bench.list()).keys).toHaveLength(3);
    expect(bench.waits).toEqual([3_000]);
    bench.next.push({ status: 429, headers: { 'retry-after': '93' } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 93_000 });
  });

  test('give their turn away while Zendesk is down', async () => {
    const { bench } = open();
    bench.next.push(...Array.from({ length: 4 }, () => ({ status: 502, bytes: 'Bad gateway' })));
    await expect(bench.list()).rejects.toMatchObject({ code: 'tool_down', retryAfterMs: 300_000 });
    expect(bench.waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('are refused with the words of Zendesk if the token is wrong', async () => {
    const { bench } = open({}, 'wrong-token');
    await expect(bench.list()).rejects.toMatchObject({
      ...{ name: 'SourceError', code: 'source_refused', retryAfterMs: undefined },
      message: "Zendesk answers with status 401: Couldn't authenticate you",
    });
    await expect(bench.open().read({ key: '1', validators: null })).rejects.toThrow(
      "Couldn't authenticate you",
    );
  });

  test('never lead a request to another host or resource', async () => {
    const { bench } = open();
    await bench.read('../../../api/v2/users/1');
    await expect(bench.open().read({ key: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    expect(bench.calls.map(({ url }) => url.host)).toEqual(bench.calls.map(() => 'acme.zendesk.com'));
    expect(bench.calls.every(({ url }) => url.pathname.startsWith('/api/v2/help_center/articles'))).toBe(
      true,
    );
    expect(zendeskKind.settings.safeParse({ subdomain: 'evil.example/' }).success).toBe(false);
  });

  test('fail the run if the answer is not the list of articles', async () => {
    const { bench } = open();
    bench.next.push({ bytes: '<html>Sign in</html>' });
    await expect(bench.list()).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
