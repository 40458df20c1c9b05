import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signWebhook } from '../../../core/webhooks/sign-webhook.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a message is signed like the test vector of Standard Webhooks', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  };
  expect(signWebhook([secret], message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('the reference library accepts signed messages of any content, and rejects altered ones', () => {
  const body = JSON.stringify({ text: 'Grüße — 你好 \u2028 "quoted"' });
  const headers = signWebhook([secret], { id: 'evt_1', at: new Date(), body });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
});
