import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../../core/base/http-client.ts';
import { namedActor } from '../../../../core/contract/actor.ts';
import { CookieJar } from '../../../../core/sources/website/requests/cookies.ts';
import { createSignIn, websiteCredentials } from '../../../../core/sources/website/requests/sign-in.ts';
import { SiteSessions } from '../../../../core/sources/website/requests/site-session.ts';
import { website } from '../../../../core/sources/website/website.ts';
import { websiteSettings } from '../../../../core/sources/website/website-settings.ts';
import { type RecordedAnswer, recordedTools } from '../../../helpers/sources/read-source.ts';
import { htmlPage } from '../../../helpers/sources/site-traps.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const origin = 'https://acme.example';
const now = new Date('2026-11-26T12:00:00Z');

describe('cookies', () => {
  const jarWith = (address: string, ...lines: readonly string[]) => {
    const jar = new CookieJar();
    jar.store(address, lines, now);
    return (other: string, at = now) => jar.headerFor(other, at);
  };

  test('go to the host that set them, below their path, and not over http if they are secure', () => {
    const header = jarWith(`${origin}/docs/a`, 'a=1', 'b=2; Path=/; Secure', 'c=3; Path=/doc');
    expect(header(`${origin}/docs/b`)).toBe('a=1; b=2');
    expect(header('http://acme.example/docs/b')).toBe('a=1');
    expect(header(`${origin}/`)).toBe('b=2');
    expect(header('https://docs.acme.example/docs/')).toBeNull();
  });

  test('go to the domain that they name, if the host belongs to it', () => {
    const header = jarWith(
      'https://www.acme.example/',
      'a=1; Domain=.acme.example',
      'b=2; Domain=other.example',
    );
    expect(header('https://docs.acme.example/')).toBe('a=1');
    expect(header('https://other.example/')).toBeNull();
  });

  test('end at their time, and a cookie that has ended is removed', () => {
    const header = jarWith(`${origin}/`, 'a=1; Max-Age=60', 'b=2; Expires=Thu, 26 Nov 2026 13:00:00 GMT');
    expect(header(`${origin}/`)).toBe('a=1; b=2');
    expect(header(`${origin}/`, new Date(now.getTime() + 61_000))).toBe('b=2');
    expect(jarWith(`${origin}/`, 'a=1', 'a=; Max-Age=0')(`${origin}/`)).toBeNull();
  });

  test('are bounded, and lines that are no cookies do no harm', () => {
    const many = Array.from({ length: 150 }, (_, place) => `c${place}=1`);
    const header = jarWith(`${origin}/`, ...many, 'broken', `x=${'y'.repeat(5_000)}`, 'n=a\nb');
    expect(header(`${origin}/`)?.split('; ')).toHaveLength(100);
  });
});

describe('a sign-in', () => {
  const given = { username: 'ann', password: 'secret word', headers: ['X-Key: 77', 'Cookie: session=1'] };
  const sent = createSignIn(`${origin}/docs`, websiteCredentials.parse(given));

  test('is sent to the host of the start only, and not in clear text', () => {
    const headers = { authorization: 'Basic YW5uOnNlY3JldCB3b3Jk', 'x-key': '77', cookie: 'session=1' };
    expect(sent(`${origin}/other`)).toEqual(headers);
    for (const other of [
      'http://acme.example/docs',
      'https://www.acme.example/docs',
      'https://acme.example:8443/docs',
      'https://acme.example.evil.example/docs',
    ])
      expect(sent(other), other).toEqual({});
  });

  test.each(['no header', 'Host: evil.example', 'Content-Length: 3', 'X-Bad: ä', 'X Y: 1'])(
    'does not take %s as a header',
    (header) => expect(websiteCredentials.safeParse({ headers: [header] }).success).toBe(false),
  );

  test('is left out after a redirect to another host, and cookies of the run come after those that were given', async () => {
    const { tools, asked, headers } = recordedTools({
      [`${origin}/a`]: {
        status: 302,
        headers: { location: 'https://docs.acme.example/a', 'set-cookie': 'x=2' },
      },
      'https://docs.acme.example/a': { body: htmlPage({ title: 'A', text: 'Words.' }) },
      [`${origin}/b`]: { body: htmlPage({ title: 'B', text: 'Other words.' }) },
    });
    const settings = websiteSettings.parse({
      ...{ url: `${origin}/`, include_subdomains: true, prefer_markdown: false },
    });
    const reader = website.open({ settings, credentials: given }, tools);
    for (const path of ['/a', '/b']) await reader.read({ key: origin + path, depth: 1, validators: null });
    const sentTo = (address: string) => headers[asked.indexOf(address)];
    expect(sentTo(`${origin}/robots.txt`)).toHaveProperty('authorization');
    expect(sentTo('https://docs.acme.example/a')).not.toHaveProperty('authorization');
    expect(sentTo('https://docs.acme.example/a')).not.toHaveProperty('cookie');
    expect(sentTo(`${origin}/b`)).toMatchObject({ 'x-key': '77', cookie: 'session=1; x=2' });
  });
});

const page = (name: string, links: readonly string[] = []): RecordedAnswer => ({
  body: htmlPage({ title: name, text: `${name} has words of its own.`, links }),
});

type Answers = Readonly<Record<string, RecordedAnswer>>;
type Fetch = ReturnType<typeof recordedTools>['tools']['fetch'];

describe.each(testEngines)('the requests of a run on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(options: { readonly credentials?: Readonly<Record<string, unknown>> } = {}) {
    const bench = new SourceBench(database, [website]);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, {
      ...{ kind: 'website', credentials: {}, settings: { url: `${origin}/`, prefer_markdown: false } },
      ...options,
    });
    const run = async (pages: Answers, wrap: (fetch: Fetch) => Fetch = (fetch) => fetch) => {
      const answers = Object.entries(pages).map(([path, answer]) => [origin + path, answer]);
      const { tools, asked } = recordedTools(Object.fromEntries(answers));
      const sessions = new SiteSessions();
      const fetch = wrap(tools.fetch);
      const record = await bench.run(workspaceId, id, { fetch, wait: async () => {}, sessions });
      return { record, asked: asked.map((address) => address.slice(origin.length)) };
    };
    const states = async () => (await bench.states(id)).map((state) => state.slice(origin.length));
    return { bench, workspaceId, id, run, states };
  }

  test('up to three answers are waited for at a time, and a slow page does not stop the others', async () => {
    const paths = Array.from({ length: 9 }, (_, place) => `/p${place}`);
    const pages = {
      '/': page('Start', ['/a-slow', ...paths]),
      '/a-slow': page('Slow'),
      ...Object.fromEntries(paths.map((path) => [path, page(path)])),
    };
    const { run, states } = await open();
    let going = 0;
    let most = 0;
    const order: string[] = [];
    const three = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    await run(pages, (fetch) => async (address, request) => {
      going += 1;
      most = Math.max(most, going);
      if (going === 3) three.resolve();
      if (paths.some((path) => address.endsWith(path))) await three.promise;
      // It answers when all others have.
      if (address.endsWith('/a-slow')) await others.promise;
      const response = await fetch(address, request);
      going -= 1;
      order.push(address.slice(origin.length));
      if (paths.every((path) => order.includes(path))) others.resolve();
      return response;
    });
    expect(most).toBe(3);
    expect(order.at(-1)).toBe('/a-slow');
    expect((await states()).filter((state) => state.endsWith('current'))).toHaveLength(11);
  });

  test('a page that fails for a moment is read once more at the end of the run', async () => {
    const failure: { readonly failure: FetchError['code'] } = { failure: 'timed_out' };
    const { run, states } = await open();
    const { record, asked } = await run({
      '/': page('Start', ['/a', '/b', '/c', '/d']),
      '/a': [{ status: 502 }, { body: htmlPage({ title: 'A', text: 'Words at last.' }) }],
      '/b': page('Page b'),
      '/c': failure,
      '/d': { status: 403 },
    });
    expect(await states()).toEqual([
      '/ current',
      '/a current',
      '/b current',
      '/c failed timed_out',
      '/d failed http_403',
    ]);
    expect(record.counts).toMatchObject({ listed: 5, failed: 2 });
    const pages = asked.filter((path) => /^\/[abcd]$/.test(path));
    expect(pages.slice(-2).toSorted()).toEqual(['/a', '/c']);
    expect(pages).toHaveLength(6);
  });

  test('a page that is too large is asked for with its conditions, and not fetched again', async () => {
    const { run, states, bench, id } = await open();
    const conditions: boolean[] = [];
    const pages = { '/': page('Start', ['/huge']) };
    const huge = (has: boolean) => {
      const headers = new Headers({ 'content-type': 'text/html', etag: '"1"' });
      conditions.push(has);
      if (has) return { url: `${origin}/huge`, status: 304, headers, bytes: new Uint8Array() };
      throw new FetchError('too_large', 'The response is larger than 5 bytes.', { headers });
    };
    const withHuge = (fetch: Fetch) => async (address: string, request: Parameters<Fetch>[1]) =>
      address.endsWith('/huge')
        ? huge(request.headers?.['if-none-match'] === '"1"')
        : fetch(address, request);
    await run(pages, withHuge);
    await run(pages, withHuge);
    expect(conditions).toEqual([false, true]);
    expect(await states()).toContain('/huge failed too_large');
    await run({ ...pages, '/huge': page('Small now') });
    expect(await states()).toContain('/huge current');
    expect((await bench.items(id)).find(({ key }) => key.endsWith('/huge'))?.document_id).not.toBeNull();
  });

  test('a page that wants a cookie first is read, and the credentials stay secret', async () => {
    const { run, states, bench, workspaceId, id } = await open({
      credentials: { username: 'ann', password: 'secret word' },
    });
    const pages = { '/': page('Start', ['/wall']), '/wall': page('Behind the wall') };
    await run(pages, (fetch) => async (address, request) => {
      if (!address.endsWith('/wall') || request.headers?.cookie === 'seen=1') return fetch(address, request);
      const headers = new Headers({ location: '/wall', 'set-cookie': 'seen=1; Path=/' });
      return { url: address, status: 302, headers, bytes: new Uint8Array() };
    });
    expect(await states()).toEqual(['/ current', '/wall current']);
    expect(JSON.stringify(await bench.sources.get(workspaceId, id))).not.toMatch(/secret|YW5u/);
    expect(bench.logged.join('')).not.toMatch(/secret word|YW5u/);
    const settings = { url: 'https://other.example/' };
    await expect(
      bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { settings }),
    ).rejects.toMatchObject({ code: 'credentials_required' });
  });
});
