import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';

const question = 'How many working days until parcels arrive?';
const server = await openWidgetServer();
const { operate, address, runtime } = server;

const channelSchema = z.looseObject({ id: z.string(), public_token: z.string() });
const configOf = (token: string, origin?: string) =>
  fetch(`${address}/widget/${token}/config`, origin === undefined ? {} : { headers: { origin } });
const titleOf = async (token: string) => {
  const answer = z.looseObject({ title: z.string().optional() }).parse(await (await configOf(token)).json());
  return answer.title ?? null;
};

async function openSession(token: string): Promise<string> {
  const opened = await fetch(`${address}/widget/${token}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return z.object({ session: z.string() }).parse(await opened.json()).session;
}

/** A shop with its first widget, and a second one. */
async function openTwo() {
  const shop = await server.openShop({ title: 'First', allowed_domains: ['first.example'] });
  const channels = `/workspaces/${shop.id}/channels`;
  const first = channelSchema.parse((await operate('GET', `${channels}/${shop.channelId}`)).json());
  const settings = { title: 'Second', colour: '#aa0000', allowed_domains: ['second.example'] };
  const second = channelSchema.parse(
    (await operate('POST', channels, { channel: 'widget', settings })).json(),
  );
  return { shop, channels, first, second };
}

describe('a widget', () => {
  test('opens with its own token, with its own look and domains', async () => {
    const { shop, first, second } = await openTwo();
    expect(second.public_token).toMatch(/^pub_[\w-]+$/);
    expect(await titleOf(first.public_token)).toBe('First');
    expect(await titleOf(second.public_token)).toBe('Second');
    expect(await titleOf(shop.publicToken)).toBe('First');
    expect((await configOf(second.public_token, 'https://second.example')).status).toBe(200);
    expect((await configOf(second.public_token, 'https://first.example')).status).toBe(403);
    expect((await configOf(shop.publicToken, 'https://first.example')).status).toBe(200);
  });

  test('keeps its visitors: a session works only for its own widget, and the conversation names its channel', async () => {
    const { shop, first, second } = await openTwo();
    const session = await openSession(second.public_token);
    const messages = (token: string) =>
      fetch(`${address}/widget/${token}/messages`, { headers: { authorization: `Bearer ${session}` } });
    expect((await messages(second.public_token)).status).toBe(200);
    expect((await messages(first.public_token)).status).toBe(401);
    const asked = await fetch(`${address}/widget/${second.public_token}/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: question }),
    });
    await asked.text();
    await shop.say(await shop.openSession(), question);
    const listed = await server.app.inject({
      url: `/v1/conversations?workspace_id=${shop.id}`,
      headers: { authorization: `Bearer ${shop.key}` },
    });
    const channelIds = listed.json().conversations.map((one: { channel_id: string }) => one.channel_id);
    expect(channelIds).toEqual([first.id, second.id]);
    await operate('DELETE', `/workspaces/${shop.id}/channels/${second.id}`);
    const row = await runtime.database.kysely
      .selectFrom('conversation')
      .select('channel_id')
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(row.map(({ channel_id }) => channel_id).sort()).toEqual([first.id, null].sort());
  });

  test('that is disabled is unavailable by its own token, and the workspace token opens the next one', async () => {
    const { shop, channels, first, second } = await openTwo();
    await operate('PATCH', `${channels}/${first.id}`, { enabled: false });
    expect((await configOf(first.public_token)).status).toBe(404);
    expect(await titleOf(shop.publicToken)).toBe('Second');
    await operate('DELETE', `${channels}/${second.id}`);
    expect((await configOf(second.public_token)).status).toBe(404);
    expect((await configOf(shop.publicToken)).status).toBe(404);
  });

  test('has a script tag and a test page, which works for any allowed domains', async () => {
    const { second, shop } = await openTwo();
    expect(second).toMatchObject({
      script_tag: expect.stringContaining(`data-token="${second.public_token}"`),
      test_url: expect.stringMatching(new RegExp(`/widget/${second.public_token}$`)),
    });
    const page = await fetch(`${address}/widget/${second.public_token}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`data-token="${second.public_token}"`);
    expect((await configOf(second.public_token, address)).status).toBe(200);
    expect((await configOf(second.public_token, 'null')).status).toBe(403);
    expect((await fetch(`${address}/widget/${shop.publicToken}x`)).status).toBe(404);
  });

  test('of a deleted workspace is unavailable', async () => {
    const { shop, second } = await openTwo();
    await operate('DELETE', `/workspaces/${shop.id}`);
    expect((await configOf(second.public_token)).status).toBe(404);
  });
});

describe('a rotated token', () => {
  test('of a widget: both values open it and its sessions until the grace period ends', async () => {
    const { shop, channels, second } = await openTwo();
    const session = await openSession(second.public_token);
    const rotated = (await operate('POST', `${channels}/${second.id}/rotate`, { grace_seconds: 60 })).json();
    for (const token of [second.public_token, rotated.public_token]) {
      expect(await titleOf(token)).toBe('Second');
      const messages = await fetch(`${address}/widget/${token}/messages`, {
        headers: { authorization: `Bearer ${session}` },
      });
      expect(messages.status).toBe(200);
    }
    await runtime.database.kysely
      .updateTable('channel')
      .set({ previous_public_token_until: new Date() })
      .where('id', '=', second.id)
      .execute();
    expect((await configOf(second.public_token)).status).toBe(404);
    expect(await titleOf(rotated.public_token)).toBe('Second');
    const last = (await operate('POST', `${channels}/${second.id}/rotate`, { grace_seconds: 0 })).json();
    expect((await configOf(rotated.public_token)).status).toBe(404);
    expect(await titleOf(last.public_token)).toBe('Second');
    expect(await titleOf(shop.publicToken)).toBe('First');
  });

  test('of a workspace: both values open its first widget until the grace period ends', async () => {
    const { shop, first } = await openTwo();
    const rotate = async (grace_seconds: number) =>
      (await operate('POST', `/workspaces/${shop.id}/public_token/rotate`, { grace_seconds })).json();
    const second = await rotate(60);
    expect([await titleOf(shop.publicToken), await titleOf(second.public_token)]).toEqual(['First', 'First']);
    const third = await rotate(60);
    expect((await configOf(shop.publicToken)).status).toBe(404);
    expect([await titleOf(second.public_token), await titleOf(third.public_token)]).toEqual([
      'First',
      'First',
    ]);
    const shown = (await operate('GET', `/workspaces/${shop.id}`)).json();
    expect(shown.public_token).toBe(third.public_token);
    expect(await titleOf(first.public_token)).toBe('First');
  });

  test('belongs to a widget or a workspace only', async () => {
    const { shop, channels } = await openTwo();
    const page = (
      await operate('POST', channels, { channel: 'hosted', settings: { slug: `s-${shop.id.slice(-8)}` } })
    ).json();
    expect(page).toMatchObject({ public_token: null, script_tag: null, test_url: null });
    const refused = await operate('POST', `${channels}/${page.id}/rotate`);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'no_public_token']);
  });
});
