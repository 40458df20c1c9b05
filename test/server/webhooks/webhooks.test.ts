import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AcceptDeliveries } from '../../../core/channels/inbound/accept-deliveries.ts';
import type { AnyConnector } from '../../../core/contract/connector.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { addGauges } from '../../../core/health/gauges.ts';
import { buildApp } from '../../../server/app.ts';
import { fakeConnector, fakeSignature } from '../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../helpers/platforms/fake/platform.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const platform = await openFakePlatform();
const logged: string[] = [];
const time = { now: new Date('2026-03-01T10:00:00Z') };
const clock = { now: () => time.now };
/** The last request as the connector saw it, and a connector that always fails. */
let seen: RawRequest | undefined;
const careless: AnyConnector = {
  ...fakeConnector,
  manifest: { ...fakeConnector.manifest, channel: 'careless' },
  open: (account) => ({
    ...fakeConnector.open(account),
    webhook: {
      verify(request) {
        seen = request;
        if (request.headers['x-signature'] === undefined)
          throw new RangeError('signing-quagga-key is 7 bytes');
        return true;
      },
      read: () => ({ kind: 'ignored', because: 'signing-quagga-key', respond: { status: 204 } }),
    },
  }),
};
const accepted: Parameters<AcceptDeliveries>[] = [];
let accept: AcceptDeliveries;
const { app, runtime, operate, makeWorkspace } = await openTestServer({
  runtime: {
    clock,
    connectors: [fakeConnector, careless],
    environment: { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://help.example', LOG_LEVEL: 'info' },
    logged: new Writable({ write: (line: Buffer, _, done) => done(void logged.push(line.toString())) }),
  },
  alter: () => ({ inbound: { accept: (...handed) => accept(...handed) } }),
});
const server = await app.listen({ port: 0, host: '127.0.0.1' });
beforeEach(() => {
  accept = async (...handed) => void accepted.push(handed);
  accepted.length = 0;
});

const key = 'signing-quagga-key';
const path = `/workspaces/${(await makeWorkspace()).id}/channels`;
const add = async (settings: object = {}, channel = 'fake'): Promise<string> => {
  const body = {
    channel,
    credentials: { token: 'token-quokka', signing_key: key },
    settings: { api_base_url: platform.url, ...settings },
  };
  return (await operate('POST', path, body)).json().id;
};
const id = await add();

interface Posted {
  readonly to?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post({ to = id, method = 'POST', body = '', headers }: Posted) {
  const signed = headers ?? { 'x-signature': fakeSignature(key, body) };
  const bodyless = method === 'GET' || method === 'HEAD';
  const response = await fetch(`${server}/webhooks/${to}`, {
    method,
    headers: { 'content-type': 'application/json', ...signed },
    ...(!bodyless && { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const event = JSON.stringify({ type: 'event', id: 'e1', lane: 'chat 1' });
const codeOf = async (posted: Posted) => {
  const { status, body } = await post(posted);
  return [status, JSON.parse(body).code];
};
async function counted(outcome: string, channel = 'fake'): Promise<number> {
  const text = await runtime.metrics.text((registry) => addGauges(registry, runtime));
  const line = `channel_webhooks_total{channel="${channel}",outcome="${outcome}"} `;
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
}

describe('/webhooks/{chan_id}', () => {
  test('stores a signed event and responds as the connector says', async () => {
    const before = await counted('accepted');
    let isStored = false;
    accept = async (...handed) => {
      await new Promise((done) => setImmediate(done));
      accepted.push(handed);
      isStored = true;
    };
    const answer = await post({ body: event });
    expect(isStored).toBe(true);
    expect([answer.status, answer.body]).toEqual([202, '{"stored":true}']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    const native = JSON.parse(event);
    expect(accepted).toMatchObject([
      [{ id, channel: 'fake', credentials: { signing_key: key } }, [{ id: 'e1', lane: 'chat 1', native }]],
    ]);
    expect(await counted('accepted')).toBe(before + 1);
  });

  test("records the platform's activity and shows it to operators", async () => {
    await post({ body: event });
    const { heard_at } = (await operate('GET', `${path}/${id}`)).json();
    expect(heard_at).toBe(time.now.toISOString());
  });

  test('recording the activity neither delays nor fails the request', async () => {
    const heard = vi.spyOn(runtime.channelAccounts, 'recordActivity');
    heard.mockReturnValueOnce(new Promise(() => {})).mockRejectedValueOnce(new TypeError('a full disk'));
    expect((await post({ body: event })).status).toBe(202);
    expect((await post({ body: event })).status).toBe(202);
    await expect.poll(() => logged.join('')).toContain('a full disk');
  });

  test.each([
    ['with another key', { 'x-signature': fakeSignature('another key', event) }],
    ['of another body', { 'x-signature': fakeSignature(key, `${event} `) }],
    ['that is malformed', { 'x-signature': 'x' }],
    ['that is missing', {}],
  ])('401: a signature %s stores nothing and records no activity', async (_what, headers) => {
    const silent = await add();
    const before = await counted('refused');
    expect(await codeOf({ to: silent, body: event, headers })).toEqual([401, 'invalid_signature']);
    expect(accepted).toEqual([]);
    expect((await operate('GET', `${path}/${silent}`)).json().heard_at).toBeNull();
    expect(await counted('refused')).toBe(before + 1);
  });

  test('answers a handshake', async () => {
    const answer = await post({ body: JSON.stringify({ type: 'challenge', challenge: 'c-7' }) });
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([
      200,
      'c-7',
      'text/plain',
    ]);
    expect(accepted).toEqual([]);
  });

  test.each(['', 'not JSON', '"{}"', '{"type":"other"}', '\u0000\uffff'])(
    '200: ignores %j, which is signed and unknown',
    async (body) => {
      const before = await counted('ignored');
      expect(await post({ body })).toMatchObject({ status: 200, body: '' });
      expect(accepted).toEqual([]);
      expect(await counted('ignored')).toBe(before + 1);
    },
  );

  test('logs an ignored webhook once per channel and reason, and again after a while', async () => {
    const other = await add();
    const times = () => logged.filter((line) => line.includes('ignored') && line.includes(other)).length;
    await post({ to: other, body: 'one' });
    await post({ to: other, body: 'two' });
    expect(times()).toBe(1);
    time.now = new Date(time.now.getTime() + 3_600_000);
    await post({ to: other, body: 'three' });
    expect(times()).toBe(2);
  });

  test('404: unknown, disabled, or without webhooks', async () => {
    const [off, polled] = [await add({ enabled: false }), await add({ mode: 'polling' })];
    for (const to of [off, polled, 'chan_none', 'nonsense', '%00', 'chan_%00', `chan_${'a'.repeat(3_000)}`]) {
      expect(await codeOf({ to, body: event }), to).toEqual([404, 'channel_not_found']);
    }
    expect(await codeOf({ to: 'chan_none', body: 'a'.repeat(2 ** 20 + 1) })).toEqual([
      404,
      'channel_not_found',
    ]);
    expect(accepted).toEqual([]);
  });

  test('404: from the moment it is disabled until it is enabled again', async () => {
    const one = await add();
    expect((await post({ to: one, body: event })).status).toBe(202);
    await operate('PATCH', `${path}/${one}`, { enabled: false });
    expect((await post({ to: one, body: event })).status).toBe(404);
    await operate('PATCH', `${path}/${one}`, { enabled: true });
    expect((await post({ to: one, body: event })).status).toBe(202);
    await operate('DELETE', `${path}/${one}`);
    expect((await post({ to: one, body: event })).status).toBe(404);
  });

  test('413: a body of more than 1 MiB', async () => {
    expect((await post({ body: 'a'.repeat(2 ** 20) })).status).toBe(200);
    expect(await codeOf({ body: 'a'.repeat(2 ** 20 + 1) })).toEqual([413, 'payload_too_large']);
  });

  test('503: an event that could not be stored is sent again', async () => {
    const before = await counted('failed');
    accept = () => Promise.reject(new TypeError('the disk is full'));
    expect(await codeOf({ body: event })).toEqual([503, 'event_not_stored']);
    expect(await counted('failed')).toBe(before + 1);
    expect(logged.at(-2)).toContain('the disk is full');
  });

  test('503: the platform retries an event that the connector fails on', async () => {
    expect(await codeOf({ body: '{ broken' })).toEqual([503, 'event_not_stored']);
  });

  test('401: rejects a request if the signature check throws, and logs it without secrets', async () => {
    const to = await add({}, 'careless');
    expect(await codeOf({ to, headers: {} })).toEqual([401, 'invalid_signature']);
    expect(await post({ to })).toMatchObject({ status: 204 });
    const told = logged.filter((line) => line.includes(to)).join();
    expect(told).toContain('RangeError: [secret] is 7 bytes');
    expect(logged.join()).not.toMatch(/quokka|quagga/);
  });

  test('the connector receives the unchanged request, with any method and content type', async () => {
    const to = `${await add({}, 'careless')}?mode=subscribe&mode=other&text=a+b%00`;
    const body = '<xml>\u00e4</xml>';
    await post({ to, body, headers: { 'x-signature': 'y', 'content-type': 'application/vnd.x+xml' } });
    expect(seen).toMatchObject({
      method: 'POST',
      path: `/webhooks/${to.split('?')[0]}`,
      headers: { 'content-type': 'application/vnd.x+xml', 'x-signature': 'y' },
      query: { mode: 'subscribe', text: 'a b\0' },
    });
    expect(Buffer.from(seen?.body ?? []).toString()).toBe(body);
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await post({ to, method, headers: { 'x-signature': 'y' } })).status, method).toBe(204);
      expect(seen?.method).toBe(method);
    }
  });

  test('503: reports a draining server', async () => {
    const draining = buildApp(runtime);
    await draining.drain();
    const response = await draining.inject({ method: 'POST', url: `/webhooks/${id}`, payload: event });
    expect([response.statusCode, response.json().code]).toEqual([503, 'deploying']);
    await draining.close();
  });
});
