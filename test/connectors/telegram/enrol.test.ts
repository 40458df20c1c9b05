import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { TelegramAccount } from '../../../connectors/telegram/manifest.ts';
import { manifest } from '../../../connectors/telegram/manifest.ts';
import { telegram } from '../../../connectors/telegram/telegram.ts';
import { createWebhook } from '../../../connectors/telegram/webhook.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { telegramFixture } from '../../helpers/platforms/telegram/fixture.ts';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';

const peer = await openTelegramStandIn();
const set = (settings: Partial<TelegramAccount['settings']>, more: Partial<TelegramAccount> = {}) =>
  telegramAccount({ settings: { enabled: true, api_base_url: peer.url, ...settings }, ...more });
const methods = () => peer.calls.map(({ method }) => method);
let tools = connectorTools();

beforeEach(() => {
  tools = connectorTools();
  peer.calls.splice(0);
});

describe('the intake', () => {
  const [https, http] = ['https://parley.example/webhooks/c', 'http://10.0.0.1/webhooks/c'];

  test.each([
    [{}, https, 'webhook'],
    [{}, http, 'listener'],
    [{}, null, 'listener'],
    [{ api_base_url: 'http://proxy.example' }, http, 'webhook'],
    [{ api_base_url: 'http://proxy.example' }, null, 'listener'],
    [{ mode: 'polling' as const }, https, 'listener'],
    [{ mode: 'webhook' as const }, http, 'webhook'],
  ])('for the settings %j and the address %s is %s', (settings, webhookUrl, intake) => {
    const account = telegramAccount({ settings: { enabled: true, ...settings }, webhookUrl });
    expect(telegram.open(account).intake).toBe(intake);
  });
});

test('the probe returns the bot’s profile', async () => {
  expect(await telegram.open(set({})).probe(tools)).toEqual({
    id: 7000001,
    username: 'parley_test_bot',
    name: 'Parley',
    can_read_all_group_messages: false,
  });
  const wrong = set({}, { credentials: { bot_token: '7000001:another' } });
  await expect(telegram.open(wrong).probe(tools)).rejects.toMatchObject({
    message: 'Unauthorized',
    account: true,
  });
});

test('a malformed token is rejected without a call', () => {
  expect(manifest.credentials.safeParse({ bot_token: 'abc' }).success).toBe(false);
  expect(manifest.credentials.safeParse({ bot_token: '1:a/../b' }).success).toBe(false);
});

describe('the webhook', () => {
  test('is registered with the address and the account’s secret', async () => {
    await telegram.open(set({})).registerWebhook?.(tools);
    expect(peer.calls[0]).toEqual({
      method: 'setWebhook',
      params: {
        url: 'https://parley.example/webhooks/chan_telegram',
        secret_token: 'the_secret_that_we_made',
        allowed_updates: ['message', 'edited_message', 'my_chat_member', 'callback_query'],
        max_connections: 40,
      },
    });
  });

  test('the menu’s commands are registered in four languages for both modes', async () => {
    await telegram.open(set({ mode: 'polling' })).prepare?.(tools);
    const lists = peer.calls.map(({ method, params }) => [method, params.language_code]);
    expect(lists).toEqual([undefined, 'en', 'de', 'es', 'fr'].map((code) => ['setMyCommands', code]));
  });

  test('is not changed with polling', async () => {
    await telegram.open(set({ mode: 'polling' })).unregisterWebhook?.(tools);
    expect(methods()).not.toContain('deleteWebhook');
  });

  test('fails permanently without a public address', async () => {
    const account = set({ mode: 'webhook' }, { webhookUrl: null });
    await expect(telegram.open(account).registerWebhook?.(tools)).rejects.toMatchObject({
      advice: { retry: 'never' },
    });
  });

  test('has the configured number of connections', async () => {
    await telegram.open(set({ max_connections: 5 })).registerWebhook?.(tools);
    expect(peer.calls[0]?.params).toMatchObject({ max_connections: 5 });
  });

  test('is deleted when the account is removed', async () => {
    await telegram.open(set({})).registerWebhook?.(tools);
    await telegram.open(set({})).unregisterWebhook?.(tools);
    expect(peer.hook()).toBeNull();
  });
});

test('an update passes verification and is repeated with the same id until it is acknowledged', async () => {
  const taken: (Delivery | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const raw = { method: 'POST', path: '/hook', headers, query: {}, body: await buffer(request) };
    if (!createWebhook(account).verify(raw, new Date())) return void response.writeHead(401).end();
    const reading = createWebhook(account).read(raw);
    taken.push(reading.kind === 'deliveries' ? reading.deliveries[0] : undefined);
    response.writeHead(taken.length === 1 ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const account = set({}, { webhookUrl: `http://127.0.0.1:${port}/hook` });
  await telegram.open(account).registerWebhook?.(tools);
  await peer.tell(telegramFixture('private-question'));
  expect(taken).toHaveLength(2);
  expect(taken[1]).toEqual(taken[0]);
  await telegram.open({ ...account, secret: 'another' }).registerWebhook?.(tools);
  await peer.tell(telegramFixture('private-voice'));
  expect(taken).toHaveLength(2);
  await telegram.open(account).unregisterWebhook?.(tools);
});
