import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openQueue } from '../../../core/queue/queue.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestWebhooks } from '../../helpers/stores/open-test-webhooks.ts';

const url = 'https://hooks.example/';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const log = createLog('silent');
const connectors = { connectors: [], findConnector: () => undefined };

describe.each(testEngines)('webhook maintenance on %s', async (engine) => {
  const { database, clock, inbox, user, makeWorkspace, addHook, kept, say, pass, webhooks } =
    await openTestWebhooks(engine);
  const queue = await openQueue({ pool: database.pool, redis: undefined }, log);
  afterAll(() => queue.close());
  const tidy = () =>
    runMaintenance({ database, clock, queue, log, connectors }, new AbortController().signal);
  const waiting = async () =>
    (await queue.depths()).find(({ name }) => name === 'webhooks')?.counts.waiting ?? 0;

  test('queues one event for each SLA state of a late conversation', async () => {
    const { id: workspaceId } = await makeWorkspace({ sla: { first_response_minutes: 10 } });
    const { id: unmeasured } = await makeWorkspace();
    const { webhook } = await addHook(url, ['sla.at_risk', 'sla.breached'], workspaceId);
    const conversation = await say({ workspaceId });
    const others = [await say({ workspaceId }), await say({ workspaceId: unmeasured })];
    for (const id of [conversation, others[1] ?? '']) await inbox.change(user, id, { status: 'escalated' });
    const told = async () => {
      await tidy();
      await tidy();
      return (await kept(webhook.id)).map(({ event, data }) => [event, data.conversation_id]);
    };
    expect(await told()).toEqual([]);
    pass(8 * minuteMs);
    expect(await told()).toEqual([['sla.at_risk', conversation]]);
    pass(3 * minuteMs);
    expect(await told()).toEqual([
      ['sla.at_risk', conversation],
      ['sla.breached', conversation],
    ]);
    const [first] = await kept(webhook.id);
    expect(first?.data).toMatchObject({ workspace_id: workspaceId, channel: 'api', status: 'escalated' });
  });

  test('queues due deliveries once, and none of a disabled webhook', async () => {
    const { id: workspaceId } = await makeWorkspace();
    await addHook(url, ['conversation.created'], workspaceId);
    const { webhook: off } = await addHook(url, ['conversation.created'], workspaceId);
    await tidy();
    const before = await waiting();
    await say({ workspaceId });
    await webhooks.setEnabled(workspaceId, off.id, false);
    await tidy();
    await tidy();
    expect(await waiting()).toBe(before + 1);
  });

  test('deletes finished deliveries after a week, and keeps unfinished ones', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook: open } = await addHook(url, ['conversation.created'], workspaceId);
    const { webhook: done } = await addHook(url, ['conversation.created'], workspaceId);
    await say({ workspaceId });
    await webhooks.setEnabled(workspaceId, done.id, false);
    const counts = async () => [(await kept(open.id)).length, (await kept(done.id)).length];
    pass(7 * dayMs);
    await tidy();
    expect(await counts()).toEqual([1, 1]);
    pass(1);
    await tidy();
    expect(await counts()).toEqual([1, 0]);
  });
});
