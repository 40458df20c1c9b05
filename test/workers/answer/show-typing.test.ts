import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { ConnectorCalls } from '../../../core/channels/connector-calls.ts';
import { BudgetWaitQueue } from '../../../core/channels/outbound/send-queue.ts';
import { showTyping } from '../../../workers/answer/drafting.ts';
import { lentThreads } from '../../helpers/platforms/connector-tools.ts';
import { fakeChannel, withMembers } from '../../helpers/platforms/fake/channel.ts';

const log = createLog('silent');
const to = { lane: 'a', address: { chat: 'a' } };
const account = {
  ...{ id: 'chan_1', workspaceId: 'ws_1', channel: 'fake', enabled: true, credentials: {}, settings: {} },
  ...{ secret: '', webhookUrl: null, profile: {}, parentId: null },
};

function begin({ marksRead = false } = {}) {
  const { platform, connector } = fakeChannel();
  const { typing } = connector.open(account);
  if (typing === undefined) throw new TypeError('no typing');
  const connectorCalls = new ConnectorCalls({
    ...{ clock: systemClock, log, fetch },
    resolve: async (host) => [host],
    readFile: async () => null,
    threads: lentThreads,
  });
  const marking = withMembers(connector, { typing: { ...typing, marksRead } });
  const open = { account, workspaceId: 'ws_1', connector: marking };
  const budgetWaitQueue = new BudgetWaitQueue({ now: () => Date.now(), call: () => {} });
  return {
    platform,
    stop: showTyping({ connectorCalls, log, budgetWaitQueue }, open, to),
    /** Another conversation's answer waits for the account's budget. */
    limit: (forMs: number) => {
      const [budget] = platform.budgetsOf('b');
      if (budget === undefined) throw new TypeError('no budget');
      const waiting = { budget: { ...budget, channelId: account.id }, waitMs: forMs };
      budgetWaitQueue.join({ channelId: account.id, lane: 'b' }, waiting, null);
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a fast answer shows no typing indicator', async () => {
  const { platform, stop } = begin();
  await vi.advanceTimersByTimeAsync(299);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(platform.typing).toBe(0);
});

test('the indicator appears within a second and is repeated until the answer is ready', async () => {
  const { platform, stop } = begin();
  await vi.advanceTimersByTimeAsync(999);
  expect(platform.typing).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(platform.typing).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(platform.typing).toBe(3);
});

test('an indicator that also marks the message as read appears at once', async () => {
  const { platform, stop } = begin({ marksRead: true });
  await vi.advanceTimersByTimeAsync(1);
  expect(platform.typing).toBe(1);
  stop();
});

test('the indicator is skipped while answers wait for the rate limit', async () => {
  const { platform, stop, limit } = begin();
  limit(5_000);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(platform.typing).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(platform.typing).toBe(1);
  stop();
});
