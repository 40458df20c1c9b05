import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app } = await openTestServer();

test.each([
  [{}, 'missing_auth'],
  [{ authorization: 'Token x' }, 'malformed_auth'],
  [{ authorization: 'Bearer pk_nobody' }, 'invalid_key'],
])('rejects the headers %j', async (headers, code) => {
  const response = await app.inject({
    method: 'POST',
    url: '/v1/query/stream',
    headers,
    payload: { query: 'Do you sell socks?' },
  });
  expect([response.statusCode, response.json().code]).toEqual([401, code]);
});
