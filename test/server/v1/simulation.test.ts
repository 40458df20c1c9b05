import { describe, expect, test } from 'vitest';
import { openStreamServer, question } from '../../helpers/servers/open-stream-server.ts';

const { app, address, runtime, operate, workspace } = await openStreamServer({ app: { slowMs: 20 } });
const keys = { name: 'CI', rateLimitMinute: 1_000, scopes: ['query', 'conversations:read'] } as const;
const { value: testKey } = await runtime.apiKeys.create(workspace.id, { ...keys, mode: 'test' });

interface Asked {
  readonly stream?: boolean;
  readonly key?: string;
}

const headersOf = (simulate: string, key = testKey) => ({
  ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  'x-parley-simulate': simulate,
});
const ask = (simulate: string, { stream = false, key = testKey }: Asked = {}) =>
  app.inject({
    method: 'POST',
    url: `/v1/query${stream ? '/stream' : ''}`,
    headers: headersOf(simulate, key),
    payload: { query: question },
  });
const framesOf = async (simulate: string) => {
  const { statusCode, body } = await ask(simulate, { stream: true });
  expect([simulate, statusCode]).toEqual([simulate, 200]);
  return [...body.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
};
const conversation = async (id: string) =>
  (
    await app.inject({
      method: 'GET',
      url: `/v1/conversations/${id}`,
      headers: { authorization: `Bearer ${testKey}` },
    })
  ).json();

/** Code, status and headers of the real errors. */
const failures = [
  ['provider_down', 503, { 'retry-after': '1' }],
  ['upstream_timeout', 502, { 'retry-after': undefined }],
  ['rate_limit_minute', 429, { 'retry-after': '60', 'x-ratelimit-remaining-minute': '0' }],
  ['quota_exhausted', 429, { 'retry-after': expect.stringMatching(/^\d+$/) }],
] as const;

describe.each(failures)('%s', (code, status, headers) => {
  test(`is the response ${status} with its headers, and stores nothing`, async () => {
    const before = await runtime.database.kysely.selectFrom('conversation').select('id').execute();
    const response = await ask(code);
    const body = response.json();
    expect([response.statusCode, body]).toMatchObject([status, { code, request_id: expect.any(String) }]);
    expect(body).toEqual({ code, detail: expect.any(String), request_id: expect.any(String) });
    for (const [name, value] of Object.entries(headers)) {
      expect([name, response.headers[name]]).toEqual([name, value]);
    }
    expect(response.headers['x-ratelimit-limit-minute']).toBe('1000');
    const after = await runtime.database.kysely.selectFrom('conversation').select('id').execute();
    expect(after).toEqual(before);
  });

  test('has both shapes in the dialect of OpenAI', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { authorization: `Bearer ${testKey}`, 'x-parley-simulate': code },
      payload: { model: 'parley', messages: [{ role: 'user', content: question }] },
    });
    expect([response.statusCode, response.json()]).toMatchObject([status, { code, error: { code } }]);
  });
});

describe('a stream', () => {
  test.each(['provider_down', 'upstream_timeout'])('of %s begins, and ends with the error', async (code) => {
    const frames = await framesOf(code);
    expect(frames.map(({ stage, code: failed }) => stage ?? failed)).toEqual([
      ...['understanding', 'searching', 'reading', 'writing'],
      code,
    ]);
    expect(frames.at(-1)).toEqual({
      ...{ error: expect.any(String), done: true },
      ...{ code, request_id: expect.any(String) },
    });
  });

  test.each(['rate_limit_minute', 'quota_exhausted'])('of %s does not begin', async (code) => {
    const response = await ask(code, { stream: true });
    expect([response.statusCode, response.json().code]).toEqual([429, code]);
    expect(response.headers['content-type']).toContain('json');
  });

  test('that is dropped breaks after its first token, without a last frame', async () => {
    const response = await fetch(`${address}/v1/query/stream`, {
      method: 'POST',
      headers: headersOf('drop_stream'),
      body: JSON.stringify({ query: question }),
    });
    expect(response.status).toBe(200);
    let received = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) received += decoder.decode(piece);
    })();
    await expect(reading).rejects.toThrow(/terminated/);
    expect(received).toContain('"stage":"writing"');
    expect(received).toContain('"token":"');
    expect(received).not.toContain('"done":true');
  });

  test('of an answer that was not to be streamed cannot be dropped', async () => {
    const response = await ask('drop_stream');
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_simulation']);
  });
});

test('low_confidence is the fallback, whatever the documents say', async () => {
  const answer = (await ask('low_confidence')).json();
  expect(answer).toMatchObject({ confidence: 'low', tier: 'none', sources: [], citations: [] });
  expect(answer.answer).not.toContain('three working days');
  expect((await framesOf('low_confidence')).at(-1)).toMatchObject({ done: true, confidence: 'low' });
  expect(await conversation(answer.conversation_id)).toMatchObject({ test: true, message_count: 2 });
});

test('escalate hands the conversation over, for nobody to see', async () => {
  const answer = (await ask('escalate')).json();
  expect(answer.skills_fired).toEqual(['escalate_to_human']);
  expect(await conversation(answer.conversation_id)).toMatchObject({ test: true, status: 'escalated' });
  expect((await framesOf('escalate')).at(-1)).toMatchObject({ skills_fired: ['escalate_to_human'] });
  const waiting = await operate('GET', `/workspaces/${workspace.id}/conversations`);
  expect(waiting.json().conversations).toEqual([]);
});

test('slow is the usual answer, later', async () => {
  expect((await ask('slow')).json()).toMatchObject({ confidence: 'high', tier: 'answer' });
  const frames = await framesOf('slow');
  expect(frames.filter(({ stage }) => stage === 'understanding')).toHaveLength(1);
  expect(frames.at(-1)).toMatchObject({ done: true, tier: 'answer' });
});

describe('the header', () => {
  test('403: is refused with a live key', async () => {
    for (const value of ['slow', 'earthquake']) {
      const response = await ask(value, { key: workspace.key });
      expect([response.statusCode, response.json()]).toMatchObject([
        403,
        { code: 'test_key_required', detail: expect.stringContaining('pk_test_') },
      ]);
    }
  });

  test('400: lists what can be simulated', async () => {
    const response = await ask('earthquake');
    const { code, detail } = response.json();
    expect([response.statusCode, code]).toEqual([400, 'invalid_simulation']);
    for (const name of [
      ...['provider_down', 'upstream_timeout', 'rate_limit_minute', 'quota_exhausted'],
      ...['low_confidence', 'slow', 'drop_stream', 'escalate'],
    ]) {
      expect(detail).toContain(name);
    }
  });

  test('works on every operation for the limit of a minute, and elsewhere says so', async () => {
    const list = (simulate: string) =>
      app.inject({
        method: 'GET',
        url: `/v1/conversations?workspace_id=${workspace.id}`,
        headers: { authorization: `Bearer ${testKey}`, 'x-parley-simulate': simulate },
      });
    expect((await list('rate_limit_minute')).json().code).toBe('rate_limit_minute');
    expect((await list('slow')).json()).toMatchObject({
      code: 'invalid_simulation',
      detail: 'slow is simulated where questions are answered. Here only rate_limit_minute is.',
    });
  });
});
