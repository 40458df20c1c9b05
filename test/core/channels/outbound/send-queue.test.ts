import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BudgetWaitQueue } from '../../../../core/channels/outbound/send-queue.ts';

const channelId = 'chan_1';
const all = { channelId, key: 'all', everyMs: 100, burst: 1 };
const chat = { channelId, key: 'chat', everyMs: 1_000, burst: 1 };
const laneOf = (lane: string) => ({ channelId, lane });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const called: string[] = [];
  const begun = Date.now();
  const lines = new BudgetWaitQueue({
    now: () => Date.now(),
    call: ({ lane }) => called.push(`${lane} after ${Math.round((Date.now() - begun) / 10) * 10}`),
  });
  return { lines, called };
}

describe('lanes in the budget wait queue', () => {
  test('are called one by one, in order of arrival, each once', async () => {
    const { lines, called } = open();
    for (const name of ['a', 'b', 'c', 'b']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    expect([lines.has(laneOf('c')), lines.has(laneOf('d'))]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['a after 50', 'b after 150', 'c after 250']);
    expect(lines.has(laneOf('c'))).toBe(false);
  });

  test('do not wait for lanes with other budgets', async () => {
    const { lines, called } = open();
    lines.join(laneOf('a'), { budget: chat, waitMs: 900 }, null);
    lines.join(laneOf('b'), { budget: all, waitMs: 50 }, null);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['b after 50', 'a after 900']);
  });

  test('go first again if they were called too early, and no other lane is called before them', async () => {
    const { lines, called } = open();
    for (const name of ['a', 'b']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    await vi.advanceTimersByTimeAsync(60);
    const line = lines.takeCall(laneOf('a'));
    expect([line === null, lines.takeCall(laneOf('a')), lines.takeCall(laneOf('b'))]).toEqual([
      false,
      null,
      null,
    ]);
    lines.join(laneOf('a'), { budget: all, waitMs: 500 }, line);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['a after 50', 'a after 560', 'b after 660']);
  });

  test('are called round robin over channels that share a budget', async () => {
    const { lines, called } = open();
    for (const name of ['a', 'b', 'c']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    const other = { channelId: 'chan_2', lane: 'other' };
    lines.join(other, { budget: all, waitMs: 350 }, null);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['a after 50', 'other after 150', 'b after 250', 'c after 350']);
  });

  test('go last in the queue of a different budget that they wait for next', async () => {
    const { lines, called } = open();
    lines.join(laneOf('a'), { budget: chat, waitMs: 50 }, null);
    lines.join(laneOf('b'), { budget: all, waitMs: 200 }, null);
    await vi.advanceTimersByTimeAsync(60);
    lines.join(laneOf('a'), { budget: all, waitMs: 10 }, lines.takeCall(laneOf('a')));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['a after 50', 'b after 200', 'a after 300']);
  });

  test('go before later lanes, which get the expected wait', () => {
    const { lines } = open();
    expect(lines.findWaitBehindOthers([chat, all], null)).toBeNull();
    for (const name of ['a', 'b']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    expect(lines.findWaitBehindOthers([chat, all], null)).toEqual({ budget: all, waitMs: 250 });
    expect(lines.findWaitBehindOthers([chat], null)).toBeNull();
    expect(lines.findWaitBehindOthers([{ ...all, channelId: 'chan_2' }], null)).toBeNull();
  });

  test('do not go before a lane that was called from the queue', async () => {
    const { lines } = open();
    for (const name of ['a', 'b']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    await vi.advanceTimersByTimeAsync(60);
    const line = lines.takeCall(laneOf('a'));
    expect(lines.findWaitBehindOthers([chat, all], line)).toBeNull();
    expect(lines.findWaitBehindOthers([chat, all], null)).toMatchObject({ budget: all });
  });

  test('are not called after the process stops', async () => {
    const { lines, called } = open();
    for (const name of ['a', 'b']) lines.join(laneOf(name), { budget: all, waitMs: 50 }, null);
    lines.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([called, lines.has(laneOf('a'))]).toEqual([[], false]);
  });
});
