import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, stream, makeWorkspace } = await openTestServer();
const { key } = await makeWorkspace();

test.each([
  ['without a query', {}, 'missing_field'],
  ['with an empty query', { query: ' ' }, 'missing_field'],
  ['with a query of more than 4,000 characters', { query: 'a'.repeat(4_001) }, 'message_too_long'],
  [
    'with a malformed workspace_id',
    { query: 'Do you sell socks?', workspace_id: 'nonsense' },
    'invalid_workspace_id',
  ],
])('rejects a body %s before the stream starts', async (_what, payload, code) => {
  const response = await stream(key, payload);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect([response.statusCode, response.json()]).toEqual([
    400,
    { code, detail: expect.any(String), request_id: response.headers['x-request-id'] },
  ]);
});

test('rejects a body that is not JSON', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/v1/query/stream',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload: '{"query":',
  });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_json']);
});
