import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** Calls everything about the people who sign in, of an installation where nobody does yet. */
export async function walkMembers(operator: ApiClient, workspaceId: string): Promise<void> {
  const me = await operator.GET('/admin/v1/me');
  expect(me.data?.person).toBeNull();
  expect((await operator.PATCH('/admin/v1/me', { body: { name: 'Ada' } })).response.status).toBe(403);
  expect((await operator.GET('/admin/v1/me/sessions')).data?.sessions).toEqual([]);
  const session = { params: { path: { session_id: 'per_none' } } };
  expect((await operator.DELETE('/admin/v1/me/sessions/{session_id}', session)).response.status).toBe(404);

  expect((await operator.GET('/admin/v1/persons')).data?.persons).toEqual([]);
  expect((await operator.POST('/admin/v1/begin-link')).data?.link).toContain('/dashboard/begin#');
  const person = { params: { path: { person_id: 'per_none' } } };
  const recovery = await operator.POST('/admin/v1/persons/{person_id}/recovery-link', person);
  expect(recovery.response.status).toBe(404);
  expect((await operator.DELETE('/admin/v1/persons/{person_id}', person)).response.status).toBe(404);
  await walkWorkspaceMembers(operator, workspaceId);
}

async function walkWorkspaceMembers(operator: ApiClient, workspaceId: string): Promise<void> {
  const base = '/admin/v1/workspaces/{workspace_id}';
  const params = { path: { workspace_id: workspaceId } };
  expect((await operator.GET(`${base}/members`, { params })).data?.members).toEqual([]);
  const member = { path: { ...params.path, member_id: 'per_none' } };
  const statuses = [
    await operator.PATCH(`${base}/members/{member_id}`, {
      params: member,
      body: { role: 'agent', workspaces: null },
    }),
    await operator.POST(`${base}/members/{member_id}/recovery-link`, { params: member }),
    await operator.DELETE(`${base}/members/{member_id}`, { params: member }),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([404, 404, 404]);
  const invited = await operator.POST(`${base}/invitations`, {
    params,
    body: { email: 'ben@acme.example', role: 'agent', workspaces: null },
  });
  expect(invited.data?.link).toContain('/dashboard/invite#');
  const { data } = await operator.GET(`${base}/invitations`, { params });
  const [open] = data?.invitations ?? [];
  const mailed = await operator.POST(`${base}/invitations/{invitation_id}/mail`, {
    params: { path: { ...params.path, invitation_id: open?.id ?? '' } },
  });
  expect(mailed.response.status).toBe(409);
  await walkSignIn(operator, workspaceId);
  await walkModels(operator, workspaceId);
  const revoked = await operator.DELETE(`${base}/invitations/{invitation_id}`, {
    params: { path: { ...params.path, invitation_id: open?.id ?? '' } },
  });
  expect(revoked.response.status).toBe(204);
  const exported = await operator.GET(`${base}/audit-log.csv`, { params, parseAs: 'text' });
  expect(exported.data).toContain('"invitation_revoked"');
}

/** The sign-in at a provider, which nothing answers for. */
async function walkSignIn(operator: ApiClient, workspaceId: string): Promise<void> {
  const path = '/admin/v1/workspaces/{workspace_id}/sign-in';
  const params = { path: { workspace_id: workspaceId } };
  expect((await operator.GET(path, { params })).data?.provider).toBeNull();
  const saved = await operator.PUT(path, {
    params,
    body: {
      name: 'Acme accounts',
      issuer: 'https://127.0.0.1:8319',
      client_id: 'parley',
      client_secret: 'secret',
      domains: ['acme.example'],
      default_role: 'agent',
      enabled: true,
      required: false,
    },
  });
  expect(saved.data?.provider).toMatchObject({ name: 'Acme accounts', tested_at: null });
  const domain = { params: { path: { ...params.path, domain: 'acme.example' } } };
  const checked = await operator.POST(`${path}/domains/{domain}/check`, domain);
  expect(checked.data?.domain_proofs).toMatchObject([{ domain: 'acme.example', state: 'pending' }]);
  expect((await operator.POST(`${path}/test`, { params })).response.status).toBe(403);
  expect((await operator.DELETE(path, { params })).response.status).toBe(204);
}

/** The models of a workspace, without a key that anybody would answer. */
async function walkModels(operator: ApiClient, workspaceId: string): Promise<void> {
  const base = '/admin/v1/workspaces/{workspace_id}';
  const { data } = await operator.GET(`${base}/models`, { params: { path: { workspace_id: workspaceId } } });
  expect(data?.providers.map(({ provider }) => provider)).toContain('openai');
  // No request leaves for a provider that there is not.
  const place = { params: { path: { workspace_id: workspaceId, provider: 'nobody' } } };
  const path = `${base}/model-keys/{provider}` as const;
  const statuses = [
    await operator.PUT(path, {
      ...place,
      body: { api_key: 'a-key-of-a-test', model: 'small', store_anyway: false },
    }),
    await operator.POST(`${path}/try`, { ...place, body: { model: 'small' } }),
    await operator.DELETE(path, place),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([404, 404, 404]);
}
