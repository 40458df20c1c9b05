import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { signWebhook } from '../../../core/webhooks/sign-webhook.ts';
import { webhookEvents } from '../../../core/webhooks/webhook-record.ts';

const page = readFileSync(new URL('../../../server/docs/pages/webhooks.md', import.meta.url), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const module = await import(
  `data:text/javascript,${encodeURIComponent(`${code}\nexport { isFromParley };`)}`
);
const isFromParley = z
  .function({
    input: [z.string(), z.record(z.string(), z.string()), z.string()],
    output: z.boolean(),
  })
  .implement(module.isFromParley);

test('the documentation names every event', () => {
  for (const event of webhookEvents) expect(page).toContain(`\`${event}\``);
});

test('the documented verifier accepts a signed body and rejects a changed, old or unsigned one', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = signWebhook([secret], { id: 'evt_1', at: new Date(), body });
  const old = signWebhook([secret], { id: 'evt_1', at: new Date(Date.now() - 301_000), body });
  expect(isFromParley(secret, headers, body)).toBe(true);
  const rotated = `v1,AAAA ${headers['webhook-signature']}`;
  expect(isFromParley(secret, { ...headers, 'webhook-signature': rotated }, body)).toBe(true);
  expect(isFromParley(secret, headers, `${body} `)).toBe(false);
  expect(isFromParley('whsec_AAAA', headers, body)).toBe(false);
  expect(isFromParley(secret, old, body)).toBe(false);
  expect(isFromParley(secret, {}, body)).toBe(false);
});
