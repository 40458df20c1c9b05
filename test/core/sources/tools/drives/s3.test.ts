import { describe, expect, test } from 'vitest';
import { s3Kind } from '../../../../../core/sources/tools/drives/s3.ts';
import { S3StandIn } from '../../../../helpers/sources/tools/s3.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

const settings = { bucket: 'acme-docs', region: 'eu-central-1' };

function open(
  more: Readonly<Record<string, unknown>> = {},
  s3 = new S3StandIn(),
  keyId = 'right-key',
  secret = 'right-secret',
) {
  s3.set('guides/', '');
  s3.set('guides/start here & (now)!+.md', '# Start');
  s3.set('guides/über.html', '<p>Text</p>', { type: 'text/html; charset=utf-8' });
  s3.set('faq.txt', 'Questions');
  const credentials = { access_key_id: keyId, secret_access_key: secret };
  return { s3, bench: new ToolBench(s3Kind, { settings: { ...settings, ...more }, credentials }, s3) };
}

const keys = ['faq.txt', 'guides/start here & (now)!+.md', 'guides/über.html'];

describe('a bucket of S3', () => {
  test('is listed page by page with signed requests, and its objects are read by type', async () => {
    const { bench } = open({ public_address: 'https://files.acme.example/' });
    expect(await bench.list()).toMatchObject({ keys, pages: 2 });
    expect(await bench.content('guides/start here & (now)!+.md')).toMatchObject({
      ...{ text: '# Start', contentType: 'binary/octet-stream', fileName: 'start here & (now)!+.md' },
      url: 'https://files.acme.example/guides/start%20here%20%26%20(now)!%2B.md',
    });
    expect(await bench.content('guides/über.html')).toMatchObject({
      contentType: 'text/html; charset=utf-8',
    });
  });

  test('is limited to a prefix', async () => {
    expect((await open({ prefix: 'guides/' }).bench.list()).keys).toEqual(keys.slice(1));
  });

  test('of another storage is read at its address', async () => {
    const s3 = new S3StandIn('https://minio.acme.example', 'acme-docs');
    const { bench } = open({ endpoint: 'https://minio.acme.example/', region: 'us-east-1' }, s3);
    expect((await bench.list()).keys).toEqual(keys);
    expect((await bench.content('faq.txt')).text).toBe('Questions');
  });

  test('with a dot in its name is part of the path', async () => {
    const { bench } = open({ bucket: 'docs.acme.example' });
    await expect(bench.list()).rejects.toThrow(
      'an unexpected request to https://s3.eu-central-1.amazonaws.com',
    );
  });

  test('is read again only where an object has changed', async () => {
    const { bench, s3 } = open();
    await bench.run();
    s3.set('faq.txt', 'More questions');
    s3.objects.delete('guides/über.html');
    expect(await bench.run()).toEqual({
      ...{ 'faq.txt': 'content', 'guides/start here & (now)!+.md': 'same', 'guides/über.html': 'missing' },
    });
    expect(await bench.read('guides/über.html')).toEqual({ kind: 'gone' });
  });

  test('leaves out what cannot be read, with a reason', async () => {
    const { bench, s3 } = open();
    s3.set('a.png', 'png');
    s3.set('empty.md', '');
    s3.set('large.md', 'x', { size: 99_000_000 });
    s3.set('old.md', 'x', { storage: 'GLACIER' });
    s3.set('guides/../faq.md', 'x');
    expect(await bench.run()).toMatchObject({
      ...{ 'a.png': 'unknown_format', 'empty.md': 'empty', 'large.md': 'too_large', 'old.md': 'archived' },
      ...{ 'guides/../faq.md': 'unusable_key', 'faq.txt': 'content' },
    });
  });

  test('without the right to an object fails there alone', async () => {
    const { bench, s3 } = open();
    s3.forbidden.add('faq.txt');
    expect(await bench.run()).toMatchObject({ 'faq.txt': 'no_permission', 'guides/über.html': 'content' });
  });

  test('waits for the limits of S3', async () => {
    const { bench } = open();
    const slow = { status: 503, bytes: '<Error><Message>Please reduce your request rate.</Message></Error>' };
    bench.next.push(slow, slow);
    await bench.list();
    expect(bench.waits).toEqual([1_000, 2_000]);
    bench.next.push(slow, slow, slow, slow);
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 8_000 });
    bench.next.push({ status: 429, headers: { 'retry-after': '60' } });
    await expect(bench.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
  });

  test('is refused with the words of S3 if the key is wrong', async () => {
    const refused = { name: 'SourceError', code: 'source_refused' };
    await expect(open({}, new S3StandIn(), 'wrong-key').bench.list()).rejects.toMatchObject({
      ...{
        ...refused,
        message: expect.stringContaining('The AWS Access Key Id you provided does not exist'),
      },
    });
    await expect(open({}, new S3StandIn(), 'right-key', 'wrong').bench.list()).rejects.toMatchObject({
      ...{ ...refused, message: expect.stringContaining('signature we calculated does not match') },
    });
  });

  test('fails the run if the answer is not the list of a bucket, or cannot be continued', async () => {
    const { bench } = open();
    const endless = '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>';
    for (const bytes of ['<html><p>Sign in</html>', '<a/>', 'text', '', endless]) {
      bench.next.push({ bytes });
      await expect(bench.list()).rejects.toMatchObject({ code: 'unexpected_answer' });
    }
  });

  test('never leads a signed request to another host or object', async () => {
    const { bench } = open();
    expect(await bench.read('../other/secret.md')).toMatchObject({ kind: 'skipped', code: 'unusable_key' });
    await bench.open().read({ key: '/evil.example/x.md', validators: null });
    await bench.open().read({ key: '@evil.example', validators: null });
    const host = 'acme-docs.s3.eu-central-1.amazonaws.com';
    expect(bench.calls.filter(({ url }) => url.host !== host)).toEqual([]);
    for (const bucket of ['evil.example/x', 'a@b', '..', 'a..b', '']) {
      expect(s3Kind.settings.safeParse({ bucket }).success).toBe(false);
    }
  });
});
