import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import {
  messageOf,
  openWebhookReceiver,
  verifiedMessage,
} from '../../helpers/servers/network/webhook-receiver.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestWebhooks } from '../../helpers/stores/open-test-webhooks.ts';

const receiver = await openWebhookReceiver();
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
});
const answerWith = (status: number, headers = {}) => {
  receiver.answer = (response) => void response.writeHead(status, headers).end('no');
};

describe.each(testEngines)('a delivery on %s', async (engine) => {
  const { webhooks, workspace, makeWorkspace, addHook, kept, say, attempt, jobs, logged, pass, time } =
    await openTestWebhooks(engine);

  /** Creates a webhook with one due delivery. */
  const oneDelivery = async (url = receiver.url) => {
    const own = await makeWorkspace();
    const { webhook, secret } = await addHook(url, ['conversation.created'], own.id);
    const conversation = await say({ workspaceId: own.id });
    const [delivery] = await kept(webhook.id);
    const { id } = delivery ?? { id: '' };
    const look = async () => (await webhooks.deliveries(own.id, webhook.id, { limit: 1 })).items[0];
    const hook = async () => (await webhooks.list(own.id, { limit: 1 })).items[0];
    return { workspaceId: own.id, webhook, secret, conversation, id, look, hook };
  };

  test('is sent with a signature over the exact bytes of its body', async () => {
    const testTime = time.now;
    onTestFinished(() => {
      time.now = testTime;
    });
    // The verifier compares the signature's time with its own clock.
    time.now = new Date();
    const { secret, conversation, id, look, workspaceId } = await oneDelivery();
    expect(await attempt(id)).toMatchObject({ became: 'delivered' });
    const [message] = receiver.received;
    if (message === undefined) throw new TypeError('nothing arrived');
    expect(message.headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    expect(verifiedMessage(secret, message)).toMatchObject({
      type: 'conversation.created',
      timestamp: time.now.toISOString(),
      data: { workspace_id: workspaceId, conversation_id: conversation, channel: 'api' },
    });
    expect(() => verifiedMessage('whsec_AAAA', message)).toThrow();
    expect(await look()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
    });
    expect(await attempt(id)).toBeNull();
    expect(receiver.received).toHaveLength(1);
  });

  test('is retried under the same id after a failure, when it is due', async () => {
    const { id, look } = await oneDelivery();
    answerWith(500);
    await attempt(id);
    expect(await look()).toMatchObject({ status: 'pending', attempts: 1, lastStatus: 500 });
    expect(jobs.at(-1)).toEqual({ deliveryId: id, delayMs: 5_000 });
    pass(4_999);
    expect(await attempt(id)).toBeNull();
    pass(1);
    answerWith(200);
    expect(await attempt(id)).toMatchObject({ became: 'delivered' });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([id, id]);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  });

  test('waits as long as the endpoint asks', async () => {
    const { id } = await oneDelivery();
    answerWith(429, { 'retry-after': '90' });
    await attempt(id);
    expect(jobs.at(-1)).toEqual({ deliveryId: id, delayMs: 90_000 });
  });

  test('is attempted by one worker at a time, and by another after that one was killed', async () => {
    const { id } = await oneDelivery();
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    receiver.answer = (response) => {
      asked.resolve();
      void release.promise.then(() => response.writeHead(204).end());
    };
    const first = attempt(id);
    await asked.promise;
    expect(await attempt(id)).toBeNull();
    pass(20_000);
    receiver.answer = (response) => void response.writeHead(204).end();
    expect(await attempt(id)).toMatchObject({ became: 'delivered' });
    release.resolve();
    await first;
  });

  test('fails temporarily if the endpoint is silent, redirects, is unreachable or has a private address', async () => {
    const outcomes: (string | null | undefined)[] = [];
    const failing = async (url: string, limits = {}) => {
      const { id, look } = await oneDelivery(url);
      expect(await attempt(id, limits)).toMatchObject({ became: 'pending' });
      outcomes.push((await look())?.lastError);
    };
    receiver.answer = () => {};
    await failing(receiver.url, { timeoutMs: 50 });
    answerWith(302, { location: receiver.url });
    await failing(receiver.url);
    const calls = receiver.received.length;
    const nobody = `http://127.0.0.1:${await freePort()}/`;
    await failing(nobody);
    await failing(receiver.url, { allowPrivate: false });
    const resolveHost = async () => [{ address: '10.0.0.7', family: 4 }];
    await failing('https://rebound.example/', { allowPrivate: false, resolveHost });
    expect(outcomes).toEqual([
      `${receiver.url} did not answer in time.`,
      'The endpoint returned a redirect. Redirects are not followed.',
      `${nobody} cannot be reached: nothing listens there.`,
      '127.0.0.1 is not a public address.',
      'rebound.example (10.0.0.7) is not a public address.',
    ]);
    expect(receiver.received).toHaveLength(calls);
  });

  test('is given up at once after status 410, together with the webhook and its other deliveries', async () => {
    const { id, workspaceId, webhook, hook } = await oneDelivery();
    await say({ workspaceId });
    answerWith(410);
    expect(await attempt(id)).toMatchObject({ became: 'failed' });
    expect(await hook()).toMatchObject({
      disabled: { at: time.now, reason: expect.stringContaining('410') },
    });
    expect(logged.at(-1)).toMatchObject({ webhook: webhook.id, reason: expect.stringContaining('410') });
    const { items } = await webhooks.deliveries(workspaceId, webhook.id, { limit: 10 });
    expect(items.map(({ status }) => status)).toEqual(['failed', 'failed']);
    await say({ workspaceId });
    expect(await kept(webhook.id)).toHaveLength(2);
  });

  test('disables the webhook after a day of failures, and the webhook can be enabled again', async () => {
    const { id, look, hook, workspaceId, webhook } = await oneDelivery();
    answerWith(503);
    const created = time.now;
    for (let next: Date | null = time.now; next !== null; ) {
      time.now = next;
      next = (await attempt(id))?.nextAttemptAt ?? null;
    }
    expect(time.now.getTime() - created.getTime()).toBe(24 * 3_600_000);
    expect(await look()).toMatchObject({ status: 'failed', attempts: 12, lastStatus: 503 });
    expect((await hook())?.disabled?.reason).toBe(
      'No delivery succeeded for a day. The endpoint returned status 503.',
    );
    await expect(webhooks.replay(workspaceId, webhook.id, id)).rejects.toMatchObject({
      code: 'webhook_disabled',
    });
    expect(await webhooks.setEnabled(workspaceId, webhook.id, true)).toMatchObject({ disabled: null });
    answerWith(200);
    await webhooks.replay(workspaceId, webhook.id, id);
    expect(await attempt(id)).toMatchObject({ became: 'delivered' });
  });

  test('does not disable a webhook whose endpoint accepts other deliveries', async () => {
    const { id, hook, workspaceId, webhook } = await oneDelivery();
    answerWith(500);
    await attempt(id);
    pass(3_600_000);
    await say({ workspaceId });
    const others = (await kept(webhook.id)).filter((delivery) => delivery.id !== id);
    answerWith(200);
    for (const other of others) await attempt(other.id);
    pass(23 * 3_600_000);
    answerWith(500);
    expect(await attempt(id)).toMatchObject({ became: 'failed', disabled: null });
    expect((await hook())?.disabled).toBeNull();
  });

  test('can be replayed under its own id any number of times, also after it succeeded', async () => {
    const { id, workspaceId, webhook } = await oneDelivery();
    await attempt(id);
    const replayed = await webhooks.replay(workspaceId, webhook.id, id);
    expect(replayed).toMatchObject({ id, status: 'pending', attempts: 0 });
    await attempt(id);
    const messages = receiver.received.map((one) => [one.headers['webhook-id'], messageOf(one)]);
    expect(messages[1]).toEqual(messages[0]);
    for (const [hook, delivery, code] of [
      ['hook_none', id, 'webhook_not_found'],
      [webhook.id, 'evt_none', 'delivery_not_found'],
    ] as const) {
      await expect(webhooks.replay(workspaceId, hook, delivery)).rejects.toMatchObject({ code });
    }
    await expect(webhooks.replay(workspace.id, webhook.id, id)).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
  });

  test('is signed with both secrets during a rotation, and with the new one afterwards', async () => {
    time.now = new Date();
    const { workspaceId, webhook, secret, id } = await oneDelivery();
    const rotated = await webhooks.rotateSecret(workspaceId, webhook.id, { graceSeconds: 60 });
    expect(rotated.previousValidUntil).toEqual(new Date(time.now.getTime() + 60_000));
    await attempt(id);
    const [during] = receiver.received;
    if (during === undefined) throw new TypeError('nothing arrived');
    expect(verifiedMessage(secret, during)).toEqual(verifiedMessage(rotated.secret, during));
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    pass(60_000);
    await webhooks.replay(workspaceId, webhook.id, id);
    await attempt(id);
    const after = receiver.received[1];
    if (after === undefined) throw new TypeError('nothing arrived');
    expect(verifiedMessage(rotated.secret, after)).toBeDefined();
    expect(() => verifiedMessage(secret, after)).toThrow();
    const strangers = webhooks.rotateSecret(workspace.id, webhook.id, { graceSeconds: 0 });
    await expect(strangers).rejects.toMatchObject({ code: 'webhook_not_found' });
  });
});
