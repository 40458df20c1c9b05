import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, query, makeWorkspace } = await openTestServer();
const { key } = await makeWorkspace();

const codeOf = async (payload: object) => {
  const response = await query(key, payload);
  return [response.statusCode, response.json().code];
};

test.each([
  ['absent', {}],
  ['empty', { query: '' }],
  ['only white space', { query: ' \n\t\u00a0' }],
  ['only characters that cannot be stored', { query: '\u0000' }],
])('reports a query that is %s as a missing field', async (_what, payload) => {
  expect(await codeOf(payload)).toEqual([400, 'missing_field']);
});

test('reports a missing field by its name', async () => {
  expect((await query(key, {})).json().detail).toBe('query is required.');
});

test('reports a missing field before an invalid one', async () => {
  expect(await codeOf({ top_k: 'many', workspace_id: 'nonsense' })).toEqual([400, 'missing_field']);
});

test('reports a missing body as a missing field', async () => {
  expect((await query(key)).json().code).toBe('missing_field');
});

test('accepts a query of 4,000 code points and rejects one of 4,001', async () => {
  expect((await query(key, { query: '😀'.repeat(4_000) })).statusCode).toBe(200);
  expect(await codeOf({ query: '😀'.repeat(4_001) })).toEqual([400, 'message_too_long']);
});

test('ignores white space around a query', async () => {
  expect((await query(key, { query: `${' '.repeat(50)}${'a'.repeat(4_000)}\n` })).statusCode).toBe(200);
});

test.each([
  'nonsense',
  '',
  'ws',
  'ws_',
  'ws_a b',
  'wt_',
  'wt_abc',
  'ws_é',
  '../ws_1',
  `ws_${'a'.repeat(200)}`,
])('rejects the workspace_id %j as malformed without a lookup', async (workspace_id) => {
  expect(await codeOf({ query: 'Do you sell socks?', workspace_id })).toEqual([400, 'invalid_workspace_id']);
});

test.each(['{', '{"query": }', 'query=hello', ''])('rejects %j as invalid JSON', async (payload) => {
  const response = await app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload,
  });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_json']);
});
