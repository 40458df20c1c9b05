import { createHmac } from 'node:crypto';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { testEvent, webhookEvents } from '../../../core/webhooks/webhook-record.ts';
import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from '../../../server/client/index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = new Date('2026-01-01T12:00:00Z');
const body = JSON.stringify({
  type: 'message.feedback',
  timestamp: '2026-01-01T12:00:00.000Z',
  data: { workspace_id: 'ws_1', message_id: 'msg_1', value: 'up', metadata: { page_url: '/a' } },
});

function deliver({ id = 'evt_1', at = now, key = secret, text = body } = {}) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', bytes).update(`${id}.${timestamp}.${text}`).digest('base64');
  return {
    body: text,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    },
  };
}

describe('a delivery', () => {
  test('is read as an event once its signature matches, as plain parts and as a request', async () => {
    const { headers } = deliver();
    const expected = {
      id: 'evt_1',
      type: 'message.feedback',
      data: { workspaceId: 'ws_1', messageId: 'msg_1', value: 'up', metadata: { page_url: '/a' } },
    };
    expect(await verifyWebhook(deliver(), secret, { now })).toMatchObject(expected);
    const request = new Request('https://shop.example/hooks', { method: 'POST', body, headers });
    expect(await verifyWebhook(request, secret, { now })).toMatchObject(expected);
  });

  test.each([
    ['changed on its way', { ...deliver(), body: `${body} ` }],
    ['another secret', deliver({ key: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })],
    ['too old', deliver({ at: new Date(now.getTime() - 301_000) })],
    ['from the future', deliver({ at: new Date(now.getTime() + 301_000) })],
    ['without headers', { headers: {}, body }],
    ['no event', deliver({ text: '"hello"' })],
    ['no JSON', deliver({ text: 'hello' })],
  ])('is refused: %s', async (_name, delivery) => {
    await expect(verifyWebhook(delivery, secret, { now })).rejects.toThrow(WebhookSignatureError);
  });
});

test('the types of events are those of the service', () => {
  expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<(typeof webhookEvents)[number] | typeof testEvent>();
});
