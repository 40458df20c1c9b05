import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { rateLimitHeadersOf } from '../../../helpers/servers/questions/rate-limit-headers.ts';
import { leaveMessages } from '../../../helpers/stores/owner-messages.ts';

const hold = new QuestionHold();
const failing = new Map([
  ['internal', new TypeError('a fault')],
  ['provider', new AppError('model_provider_error')],
  ['timeout', new AppError('upstream_timeout')],
  ['down', new AppError('provider_down')],
]);
const { app, runtime, makeWorkspace } = await openTestServer({
  app: { queryTimeoutMs: 3_000 },
  alter: ({ embedder }) => ({
    embedder: hold.around({
      ...embedder,
      async embedQuery(text) {
        const failure = failing.get(text);
        if (failure !== undefined) throw failure;
        return embedder.embedQuery(text);
      },
    }),
  }),
});
const workspace = await makeWorkspace();
const foreign = await makeWorkspace();
const spent = await makeWorkspace();
await leaveMessages(runtime, spent.owner, 0);
const free = await makeWorkspace({ plan: 'free' });
const { value: busy } = await runtime.apiKeys.create(workspace.id, { name: 'Busy', rateLimitMinute: 1 });
const { value: tired } = await runtime.apiKeys.create(workspace.id, { name: 'Tired', rateLimitDay: 1 });

interface Sent {
  readonly key?: string;
  readonly payload?: string | object;
  readonly type?: string;
  readonly repeat?: string;
}
const send = ({ key = workspace.key, payload = { query: 'Do you sell socks?' }, type, repeat }: Sent) =>
  app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': type ?? 'application/json',
      ...(repeat === undefined ? {} : { 'idempotency-key': repeat }),
    },
    payload,
  });
for (const key of [busy, tired]) await send({ key });
await send({ repeat: 'taken' });

test.each<[number, string, Sent]>([
  [400, 'invalid_json', { payload: '{' }],
  [400, 'missing_field', { payload: {} }],
  [400, 'message_too_long', { payload: { query: 'x'.repeat(4_001) } }],
  [400, 'invalid_workspace_id', { payload: { query: 'Do you sell socks?', workspace_id: 'x' } }],
  [403, 'workspace_access_denied', { payload: { query: 'Do you sell socks?', workspace_id: foreign.id } }],
  [403, 'feature_not_in_plan', { key: free.key }],
  [404, 'workspace_not_found', { payload: { query: 'Do you sell socks?', workspace_id: 'ws_unknown' } }],
  [
    404,
    'conversation_not_found',
    { payload: { query: 'Do you sell socks?', conversation_id: 'conv_unknown' } },
  ],
  [409, 'duplicate_request_id', { repeat: 'taken', payload: { query: 'Bye?' } }],
  [413, 'payload_too_large', { payload: { query: 'x'.repeat(2 ** 20) } }],
  [415, 'unsupported_media_type', { payload: 'x', type: 'text/plain' }],
  [422, 'invalid_top_k', { payload: { query: 'Do you sell socks?', top_k: 0 } }],
  [422, 'invalid_idempotency_key', { repeat: '' }],
  [429, 'rate_limit_minute', { key: busy }],
  [429, 'rate_limit_day', { key: tired }],
  [429, 'quota_exhausted', { key: spent.key }],
  [500, 'internal_error', { payload: { query: 'internal' } }],
  [500, 'model_provider_error', { payload: { query: 'provider' } }],
  [502, 'upstream_timeout', { payload: { query: 'timeout' } }],
  [503, 'provider_down', { payload: { query: 'down' } }],
])('a response of %i %s contains the rate-limit headers', async (status, code, sent) => {
  const response = await send(sent);
  expect([response.statusCode, response.json()]).toEqual([
    status,
    { code, detail: expect.any(String), request_id: response.headers['x-request-id'] },
  ]);
  expectLimits(response);
});

test('responses of 504 and 200 and repeated ones contain them too', async () => {
  hold.begin();
  const late = await send({});
  hold.end();
  expect(late.statusCode).toBe(504);
  const [first, again] = [await send({ repeat: 'first' }), await send({ repeat: 'first' })];
  expect([first.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  for (const response of [late, first, again]) expectLimits(response);
});

test.each([
  ['GET', '/v1/query', 405, 'method_not_allowed'],
  ['GET', '/v1/nothing', 404, 'route_not_found'],
] as const)(
  '%s %s, which no operation takes, has them with a valid key alone',
  async (method, url, status, code) => {
    const refusal = async (key?: string) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const response = await app.inject({ method, url, headers });
      expect([response.statusCode, response.json().code]).toEqual([status, code]);
      return response;
    };
    expectLimits(await refusal(workspace.key));
    for (const other of [undefined, 'pk_unknown']) {
      const names = Object.keys((await refusal(other)).headers);
      expect(names.filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
  },
);

test('a response to a request without a valid key does not contain them', async () => {
  const response = await send({ key: 'pk_unknown' });
  expect(response.statusCode).toBe(401);
  expect(Object.keys(response.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
});

function expectLimits(response: Awaited<ReturnType<typeof send>>): void {
  const { minute, minuteRemaining, day, dayRemaining, dayResets } = rateLimitHeadersOf(response);
  expect(minute).toBeGreaterThan(0);
  expect(minuteRemaining).toBeLessThanOrEqual(minute);
  expect(minuteRemaining).toBeGreaterThanOrEqual(0);
  expect(day).toBeGreaterThan(0);
  expect(dayRemaining).toBeLessThanOrEqual(day);
  expect(dayRemaining).toBeGreaterThanOrEqual(0);
  expect(dayResets % 86_400).toBe(0);
  expect(dayResets * 1_000).toBeGreaterThan(Date.now());
  expect(response.headers['retry-after'] !== undefined).toBe(response.statusCode === 429);
}
