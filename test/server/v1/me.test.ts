import { expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { app, query, operate, makeWorkspace } = await openTestServer();

const me = async (key: string) =>
  app.inject({ method: 'GET', url: '/v1/me', headers: { authorization: `Bearer ${key}` } });

test('a key is told what it belongs to, and what all workspaces of its owner have used', async () => {
  const { id, owner, key } = await makeWorkspace({ name: 'Shop', plan: 'growth' });
  const other = await makeWorkspace({ owner });
  await query(key, { query: 'Is it open?' });
  await query(other.key, { query: 'Is it open?' });
  expect((await me(key)).json()).toEqual({
    key: {
      ...{ id: expect.stringMatching(/^key_/), name: expect.any(String), expires_at: null },
      ...{
        scopes: ['query', 'conversations:read', 'conversations:write'],
        workspaces: 'owner',
        mode: 'live',
      },
    },
    ...{ workspace_id: id, workspace_name: 'Shop', owner, plan: 'growth' },
    limits: { minute: expect.any(Number), day: expect.any(Number) },
    usage: { messages: 2, quota: expect.any(Number), resets_at: expect.stringMatching(/-01T00:00:00/) },
  });
});

test('the name, the limits and the end of a key come back as its owner set them', async () => {
  const { id } = await makeWorkspace();
  const made = await operate('POST', `/workspaces/${id}/keys`, {
    ...{ name: 'Shop window', rate_limit_minute: 7, expires_at: '2099-01-01T00:00:00.000Z' },
    ...{ scopes: ['usage:read'], workspaces: 'own' },
  });
  expect((await me(made.json().key)).json()).toMatchObject({
    key: {
      ...{ id: made.json().id, name: 'Shop window', expires_at: '2099-01-01T00:00:00.000Z' },
      ...{ scopes: ['usage:read'], workspaces: 'own' },
    },
    limits: { minute: 7 },
  });
});

test('401: without a key, and 403: on the plan free', async () => {
  expect((await me('nothing')).json().code).toBe('invalid_key');
  const free = await makeWorkspace({ plan: 'free' });
  expect((await me(free.key)).json().code).toBe('feature_not_in_plan');
});
