import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { signWebhook } from '../../../core/webhooks/sign-webhook.ts';
import { webhookEvents } from '../../../core/webhooks/webhook-record.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const section = readme.slice(readme.indexOf('## Webhooks'), readme.indexOf('## Configuration'));
const code = /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
const module = await import(
  `data:text/javascript,${encodeURIComponent(`${code}\nexport { isFromParley };`)}`
);
const isFromParley = z
  .function({
    input: [z.string(), z.record(z.string(), z.string()), z.string()],
    output: z.boolean(),
  })
  .implement(module.isFromParley);

test('the README names every event', () => {
  for (const event of webhookEvents) expect(section).toContain(`\`${event}\``);
});

test('the verifier in the README accepts signed messages and rejects altered, old and unsigned ones', () => {
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
