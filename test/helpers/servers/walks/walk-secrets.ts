import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const workspace = '/admin/v1/workspaces/{workspace_id}';

/** Rotates every secret of a workspace of its own, and looks at what the installation's key seals. */
export async function walkSecrets(operator: ApiClient): Promise<void> {
  const created = await operator.POST('/admin/v1/workspaces', { body: { name: 'Rotation' } });
  const path = { workspace_id: created.data?.id ?? '' };
  const body = { grace_seconds: 60 };
  const identity = await operator.POST(`${workspace}/identity_secret/rotate`, { params: { path }, body });
  expect(identity.data?.identity_secret).toMatch(/^ids_/);
  const token = await operator.POST(`${workspace}/public_token/rotate`, { params: { path }, body });
  expect(token.data?.public_token).toMatch(/^pub_/);

  const hook = await operator.POST(`${workspace}/webhooks`, {
    params: { path },
    body: { url: 'https://pots.example/hooks', events: ['document.indexed'] },
  });
  const signed = await operator.POST(`${workspace}/webhooks/{hook_id}/rotate`, {
    params: { path: { ...path, hook_id: hook.data?.id ?? '' } },
    body,
  });
  expect(signed.data?.secret).toMatch(/^whsec_/);

  const skill = await operator.POST(`${workspace}/skills`, {
    params: { path },
    body: { name: 'stock', description: 'Looks.', parameters: { type: 'object' }, url: 'https://127.0.0.1/' },
  });
  const called = await operator.POST(`${workspace}/skills/{skill_id}/rotate`, {
    params: { path: { ...path, skill_id: skill.data?.id ?? '' } },
    body,
  });
  expect(called.data?.secret).toMatch(/^whsec_/);

  const key = await operator.POST(`${workspace}/keys`, { params: { path }, body: { name: 'Website' } });
  const opened = await operator.POST(`${workspace}/keys/{key_id}/rotate`, {
    params: { path: { ...path, key_id: key.data?.id ?? '' } },
    body,
  });
  expect(opened.data?.key).toMatch(/^pk_/);

  const widget = await operator.POST(`${workspace}/channels`, {
    params: { path },
    body: { channel: 'widget' },
  });
  const carried = await operator.POST(`${workspace}/channels/{chan_id}/rotate`, {
    params: { path: { ...path, chan_id: widget.data?.id ?? '' } },
    body,
  });
  expect(carried.data?.public_token).toMatch(/^pub_/);

  await operator.DELETE(workspace, { params: { path } });
  const resealed = await operator.POST('/admin/v1/secrets/reseal');
  expect(resealed.data?.outdated_key_ids).toEqual([]);
  const rotated = await operator.POST('/admin/v1/secrets/encryption_key/rotate');
  expect([200, 409]).toContain(rotated.response.status);
  const status = await operator.GET('/admin/v1/secrets');
  expect(status.data?.tables.map(({ table }) => table)).toContain('webhook');
}
