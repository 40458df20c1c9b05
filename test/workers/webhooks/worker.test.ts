import { expect, test } from 'vitest';
import { Conversations } from '../../../core/conversations/conversations.ts';
import { runWebhookWorker } from '../../../workers/webhooks/worker.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import {
  messageOf,
  openWebhookReceiver,
  verifiedMessage,
} from '../../helpers/servers/network/webhook-receiver.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const receiver = await openWebhookReceiver();
const { runtime, makeWorkspace, query, operate } = await openTestServer({
  runtime: { environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
});

/** Acts as if the process had been killed between its commit and waking a worker. */
const dying = new Conversations({ database: runtime.database.kysely, clock: runtime.clock });
const unsure = { ...plainTurn('').answer, confidence: 'low' } as const;

test('an answer is delivered even if the process was killed before it woke a worker', async () => {
  const { id, key } = await makeWorkspace();
  const made = await operate('POST', `/workspaces/${id}/webhooks`, {
    url: receiver.url,
    events: ['answer.low_confidence'],
  });
  const { secret } = made.json();
  await dying.storeTurn(plainTurn(id, { question: 'Who was first?', answer: unsure }));
  const stop = await runWebhookWorker(runtime);
  await receiver.until(1);
  await query(key, { query: 'Who was second?' });
  const messages = (await receiver.until(2)).map((one) => verifiedMessage(secret, one));
  expect(messages.map(({ data }) => data.question)).toEqual(['Who was first?', 'Who was second?']);
  await stop();
  const { deliveries } = (
    await operate('GET', `/workspaces/${id}/webhooks/${made.json().id}/deliveries`)
  ).json();
  expect(deliveries).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
});

test('a silent endpoint does not delay others, and gets all its messages when it is back', async () => {
  const [slow, quick] = [await openWebhookReceiver(), await openWebhookReceiver()];
  const held: (() => void)[] = [];
  slow.answer = (response) => void held.push(() => response.writeHead(204).end());
  const hook = { events: ['answer.low_confidence'] };
  const [stuck, other] = [await makeWorkspace(), await makeWorkspace()];
  await operate('POST', `/workspaces/${stuck.id}/webhooks`, { url: slow.url, ...hook });
  await operate('POST', `/workspaces/${other.id}/webhooks`, { url: quick.url, ...hook });
  const questions = Array.from({ length: 80 }, (_, index) => `Question ${index}?`);
  for (const question of questions) await dying.storeTurn(plainTurn(stuck.id, { question, answer: unsure }));
  const stop = await runWebhookWorker(runtime);
  await slow.until(4);
  await query(other.key, { query: 'Do you sell socks?' });
  await quick.until(1);
  expect(slow.received).toHaveLength(4);
  slow.answer = (response) => void response.writeHead(204).end();
  for (const end of held) end();
  const asked = (await slow.until(80)).map((one) => messageOf(one).data.question);
  expect(asked.toSorted()).toEqual(questions.toSorted());
  await stop();
});
