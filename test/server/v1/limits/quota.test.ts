import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { leaveMessages, ownerMessages } from '../../../helpers/stores/owner-messages.ts';

const { app, query, runtime, makeWorkspace } = await openTestServer({
  alter: ({ embedder }) => ({
    embedder: {
      ...embedder,
      embedQuery: (text) =>
        text === 'fail' ? Promise.reject(new TypeError('a fault')) : embedder.embedQuery(text),
    },
  }),
});
const codeOf = async (key: string, fields: object = {}) => {
  const response = await query(key, { query: 'Do you sell socks?', ...fields });
  return response.statusCode === 200 ? 'answered' : response.json().code;
};

test('each answer counts as one message of the owner, for all workspaces and keys', async () => {
  const { id, owner, key } = await makeWorkspace();
  const sibling = await makeWorkspace({ owner });
  const { value: second } = await runtime.apiKeys.create(id, { name: 'Second' });
  for (const [asking, fields] of [
    [key, {}],
    [second, {}],
    [sibling.key, {}],
    [key, { workspace_id: sibling.id }],
  ] as const) {
    expect(await codeOf(asking, fields)).toBe('answered');
  }
  expect(await ownerMessages(runtime, owner)).toBe(4);
  await leaveMessages(runtime, owner, 0);
  for (const asking of [key, second, sibling.key]) expect(await codeOf(asking)).toBe('quota_exhausted');
});

test('the usage of another owner is separate', async () => {
  const { owner } = await makeWorkspace();
  await leaveMessages(runtime, owner, 0);
  expect(await codeOf((await makeWorkspace()).key)).toBe('answered');
});

test('a failed request does not count, whatever the reason', async () => {
  const { id, owner, key } = await makeWorkspace();
  const foreign = await makeWorkspace();
  const { value: slow } = await runtime.apiKeys.create(id, { name: 'Slow', rateLimitMinute: 1 });
  await codeOf(slow);
  expect(await ownerMessages(runtime, owner)).toBe(1);
  expect(await codeOf(slow)).toBe('rate_limit_minute');
  expect(await codeOf(key, { query: '' })).toBe('missing_field');
  expect(await codeOf(key, { top_k: 21 })).toBe('invalid_top_k');
  expect(await codeOf(key, { audience: ['unknown'] })).toBe('invalid_audience');
  expect(await codeOf(key, { workspace_id: foreign.id })).toBe('workspace_access_denied');
  expect(await codeOf(key, { conversation_id: 'conv_unknown' })).toBe('conversation_not_found');
  expect(await codeOf(key, { verification_token: 'x' })).toBe('verification_required');
  expect(await codeOf(key, { query: 'fail' })).toBe('internal_error');
  const broken = await app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload: '{"query":',
  });
  expect(broken.json().code).toBe('invalid_json');
  expect(await ownerMessages(runtime, owner)).toBe(1);
});
