import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const channels = '/admin/v1/workspaces/{workspace_id}/channels';
const channel = `${channels}/{chan_id}` as const;

/** Adds a channel of the fake connector without asking its platform, changes it and removes it. */
export async function walkChannels(operator: ApiClient, workspace_id: string): Promise<void> {
  const path = { workspace_id };
  const made = await operator.POST(channels, {
    params: { path },
    body: {
      channel: 'fake',
      name: 'Shop window',
      credentials: { token: 'token-of-the-bot', signing_key: 'signing-key' },
      settings: { mode: 'polling', verify: false },
    },
  });
  expect([made.response.status, made.data?.status]).toEqual([201, 'connecting']);
  const one = { ...path, chan_id: made.data?.id ?? '' };
  const listed = await operator.GET(channels, { params: { path } });
  expect(listed.data?.channels.map(({ id }) => id)).toEqual([one.chan_id]);
  const changed = await operator.PATCH(channel, { params: { path: one }, body: { enabled: false } });
  expect(changed.data).toMatchObject({ name: 'Shop window', enabled: false, webhook_url: null });
  const read = await operator.GET(channel, { params: { path: one } });
  expect(read.data).toEqual(changed.data);
  const refused = await operator.POST(channels, { params: { path }, body: { channel: 'pigeon' } });
  expect([refused.response.status, refused.error?.code]).toEqual([422, 'unknown_channel']);
  const kinds = await operator.GET('/admin/v1/channel-kinds');
  expect(kinds.data?.kinds.map(({ kind }) => kind)).toContain('fake');
  const states = await operator.GET('/admin/v1/workspaces/{workspace_id}/channel-states', {
    params: { path },
  });
  expect(states.data?.states).toMatchObject([{ channel_id: one.chan_id, state: 'off' }]);
  const checks = await operator.GET(`${channel}/checks`, { params: { path: one } });
  expect(checks.data?.checks.map(({ id }) => id)).toEqual(['credentials', 'connection', 'message', 'answer']);
  const checked = await operator.POST(`${channel}/check`, { params: { path: one } });
  expect(checked.data?.channel.id).toBe(one.chan_id);
  const deliveries = await operator.GET(`${channel}/deliveries`, { params: { path: one } });
  expect(deliveries.data?.deliveries).toEqual([]);
  const failures = await operator.GET(`${channel}/failures`, { params: { path: one } });
  expect(failures.data?.failures).toEqual([]);
  const retried = await operator.POST(`${channel}/retry`, { params: { path: one } });
  expect(retried.data).toEqual({ retried: 0 });
  const link = await operator.POST(`${channel}/install-links`, { params: { path: one } });
  // Where the world does not reach this server, no platform sends anybody back.
  expect([201, 409]).toContain(link.response.status);
  // Where no kind of channel is a mailbox, there is none to prepare.
  const found = await operator.POST('/admin/v1/workspaces/{workspace_id}/mailbox-servers', {
    params: { path },
    body: { address: 'help@shop.example', provider: 'google' },
  });
  expect([200, 422]).toContain(found.response.status);
  const tried = await operator.POST('/admin/v1/workspaces/{workspace_id}/mailbox-checks', {
    params: { path },
    body: { credentials: {}, settings: {} },
  });
  expect(['unknown_channel', 'invalid_credentials']).toContain(tried.error?.code);
  const deleted = await operator.DELETE(channel, { params: { path: one } });
  expect(deleted.response.status).toBe(204);
}
