import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openWebhookReceiver } from '../../../../helpers/servers/network/webhook-receiver.ts';
import { openTestSkills } from '../../../../helpers/stores/open-test-skills.ts';

const page = readFileSync(new URL('../../../../../server/docs/pages/skills.md', import.meta.url), 'utf8');
const shown = z
  .object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? ''));
const receiver = await openWebhookReceiver();

test('the documentation shows a call with exactly the fields that are sent', async () => {
  const { skill, moment } = openTestSkills(receiver.url);
  await skill().run({ order_id: 'A-1024' }, { ...moment, userId: 'customer-7' });
  const [message] = receiver.received;
  const sent = JSON.parse(message?.body ?? '');
  expect(Object.keys(sent)).toEqual(Object.keys(shown));
  expect(Object.keys(sent.data)).toEqual(Object.keys(shown.data));
  expect(sent.data).toMatchObject({ arguments: shown.data.arguments, user: shown.data.user });
});
