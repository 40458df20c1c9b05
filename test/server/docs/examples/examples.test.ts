import type { Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { createOrderSkill } from '../../../../server/docs/examples/http-skill.ts';
import { isFromParley } from '../../../../server/docs/examples/verify-signature.ts';
import { createReceiver } from '../../../../server/docs/examples/webhook-receiver.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const mustNotFail = (error: unknown) => expect.unreachable(String(error));

describe('the example of a webhook receiver', () => {
  test('verifies the vector of the documentation', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,bm9uZQ== v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const known = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const delivery = { headers, rawBody: '{"test": 2432232314}', now: new Date(1_614_265_330_000) };
    expect(isFromParley(known, delivery)).toBe(true);
    expect(isFromParley(known, { ...delivery, rawBody: '{"test":2432232314}' })).toBe(false);
    expect(isFromParley(known, { ...delivery, now: new Date(1_614_265_631_000) })).toBe(false);
    expect(isFromParley(secret, delivery)).toBe(false);
    expect(isFromParley(known, { ...delivery, headers: {} })).toBe(false);
  });

  test('handles each event once, and refuses what Parley did not sign', async () => {
    const handled: string[] = [];
    const receiver = createReceiver({
      secret,
      onEvent: async ({ type }) => void handled.push(type),
      onError: mustNotFail,
    });
    const url = await listen(receiver);
    const send = async (id: string, by = secret) => {
      const body = JSON.stringify({ type: 'message.created', timestamp: new Date().toISOString(), data: {} });
      const now = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(by).sign(id, now, body),
      };
      return (await fetch(url, { method: 'POST', body, headers })).status;
    };
    expect(await send('evt_1')).toBe(204);
    expect(await send('evt_1')).toBe(204);
    expect(await send('evt_2', `whsec_${Buffer.alloc(24).toString('base64')}`)).toBe(401);
    expect(await send('evt_3')).toBe(204);
    await expect.poll(() => handled).toEqual(['message.created', 'message.created']);
  });
});

test('the example of a skill shows customers their own orders only, in calls that Parley makes', async () => {
  const server = await openTestServer({ runtime: { environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } } });
  const shop = await server.makeWorkspace({ name: 'Shop' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] };
  const skills = `/workspaces/${shop.id}/skills`;
  const fields = { name: 'order_status', description: 'Looks up where an order is.', parameters, url };
  const made = (await server.operate('POST', skills, fields)).json();
  const call = async (user_id: string) =>
    (
      await server.operate('POST', `${skills}/${made.id}/test`, {
        arguments: { order_id: 'A-1024' },
        user_id,
      })
    ).body;
  const orders = new Map([['A-1024', { status: 'arrives tomorrow', customerId: 'customer-7' }]]);
  const skill = createOrderSkill({
    secret: made.secret,
    findOrder: async (order) => orders.get(order) ?? null,
    onError: mustNotFail,
  });
  await listen(skill, port);
  expect(await call('customer-7')).toContain('arrives tomorrow');
  expect(await call('customer-8')).toContain('no order with that number');
});
