import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { guardedFetch } from '../../../../core/base/http-client.ts';
import { createRenderer } from '../../../../core/sources/website/requests/renderer.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../../core/sources/website/website-settings.ts';
import { type RecordedAnswer, recordedTools } from '../../../helpers/sources/read-source.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';

const origin = 'https://acme.example';

/** Draws pages as the service of an operator does, over HTTP. */
const drawn = new Map<string, string>();
const asked: { readonly method: string; readonly headers: unknown; readonly body: string }[] = [];
const service = createServer(async (request, response) => {
  const body = await text(request);
  asked.push({ method: `${request.method} ${request.url}`, headers: request.headers, body });
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(body));
  const html = drawn.get(url);
  response.writeHead(html === undefined ? 502 : 200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(html ?? 'Navigation failed');
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const { port } = z.object({ port: z.number() }).parse(service.address());
afterAll(() => new Promise((resolve) => service.close(resolve)));
beforeEach(() => {
  drawn.clear();
  asked.length = 0;
});

const shell = (name: string): RecordedAnswer => ({
  headers: { etag: '"shell"' },
  body: `<title>${name}</title><div id="root"></div><script src="app.js"></script>`,
});

function open(answers: Readonly<Record<string, RecordedAnswer>>, addresses = ['93.184.216.34']) {
  const { tools } = recordedTools(
    Object.fromEntries(Object.entries(answers).map(([path, answer]) => [origin + path, answer])),
  );
  const render = createRenderer({
    url: `http://127.0.0.1:${port}/content?token=hidden`,
    allowPrivate: false,
    fetch: guardedFetch,
    signal: tools.signal,
    resolveHost: async () => addresses.map((address) => ({ address, family: 4 })),
  });
  const settings = websiteSettings.parse({ url: `${origin}/`, prefer_markdown: false });
  const credentials = { username: 'ann', password: 'secret word' };
  const reader = website.open({ settings, credentials }, { ...tools, render });
  return (path: string) => reader.read({ key: origin + path, depth: 1, validators: null });
}

describe('a renderer', () => {
  test('draws a page that was found empty, without the credentials of the source', async () => {
    const read = open({ '/app': shell('App') });
    drawn.set(
      `${origin}/app`,
      htmlPage({ title: 'App', text: 'Words that a script has drawn.', links: ['/x'] }),
    );
    const result = await read('/app');
    expect(result).toMatchObject({
      kind: 'content',
      title: 'App',
      // The headers were those of the shell.
      validators: { etag: null, modified: null },
    });
    expect(result.kind === 'content' && Buffer.from(result.bytes).toString()).toContain('has drawn');
    expect(result.kind === 'content' && result.found?.map(({ key }) => key)).toContain(`${origin}/x`);
    expect(asked).toMatchObject([
      { method: 'POST /content?token=hidden', body: JSON.stringify({ url: `${origin}/app` }) },
    ]);
    expect(JSON.stringify(asked)).not.toMatch(/authorization|YW5u/);
  });

  test('is not asked for a page with text, nor for one that asks not to be read', async () => {
    const hidden = `<meta name="robots" content="noindex"><div id="root"></div><script src="app.js"></script>`;
    const read = open({
      '/a': { body: htmlPage({ title: 'A', text: 'Enough words of its own. '.repeat(20) }) },
      '/hidden': { body: hidden },
    });
    expect((await read('/a')).kind).toBe('content');
    expect(await read('/hidden')).toMatchObject({ kind: 'skipped', code: 'noindex' });
    expect(asked).toEqual([]);
  });

  test('is not handed an address in a private network', async () => {
    const read = open({ '/app': shell('App') }, ['10.0.0.7']);
    await expect(read('/app')).rejects.toMatchObject({ name: 'ItemError', code: 'address_refused' });
    expect(asked).toEqual([]);
  });

  test('that fails, sends too much or nothing costs its page only, and its address is not told', async () => {
    const read = open({ '/app': shell('App'), '/big': shell('Big'), '/empty': shell('Empty') });
    drawn.set(`${origin}/big`, `<p>${'x'.repeat(6_000_000)}</p>`);
    drawn.set(`${origin}/empty`, '<div id="root"></div><script src="app.js"></script>');
    for (const path of ['/app', '/big']) {
      const error = await read(path).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'ItemError', code: 'renderer_failed' });
      expect(String(error)).not.toMatch(/hidden|127\.0\.0\.1/);
    }
    await expect(read('/empty')).rejects.toMatchObject({ code: 'empty_page' });
  });
});
