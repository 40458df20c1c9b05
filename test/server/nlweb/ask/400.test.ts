import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { app, askPublicly, openWorkspace, messagesOf } = await openPublicServer();
const { id, owner } = await openWorkspace();

const codeOf = async (payload?: object) => {
  const response = await askPublicly(id, payload);
  return [response.statusCode, response.json().code];
};

test.each([
  ['absent', {}],
  ['empty', { query: '' }],
  ['only white space', { query: ' \n\t' }],
  ['missing next to other fields', { locale: 5, mode: 'list' }],
])('reports a query that is %s as a missing field', async (_what, payload) => {
  expect(await codeOf(payload)).toEqual([400, 'missing_field']);
});

test('reports a missing body as a missing field', async () => {
  expect(await codeOf()).toEqual([400, 'missing_field']);
});

test('rejects a query of more than 4,000 characters', async () => {
  expect((await askPublicly(id, { query: '😀'.repeat(4_000) })).statusCode).toBe(200);
  expect(await codeOf({ query: '😀'.repeat(4_001) })).toEqual([400, 'message_too_long']);
});

test('reports invalid JSON, also to pages of other origins', async () => {
  const response = await app.inject({
    method: 'POST',
    url: `/api/nlweb/${id}/ask`,
    headers: { 'content-type': 'application/json', origin: 'https://x.example' },
    payload: '{',
  });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_json']);
  expect(response.headers['access-control-allow-origin']).toBe('*');
});

test('does not count rejected requests', async () => {
  const before = await messagesOf(owner);
  await codeOf({ query: '' });
  expect(await messagesOf(owner)).toBe(before);
});
