import { describe, expect, test } from 'vitest';
import {
  type LineEvent,
  type LiveState,
  nextState,
} from '../../../../../server/dashboard/browser/live/line.ts';

const stateAfter = (events: readonly LineEvent[], from: LiveState = 'connecting') =>
  events.reduce(nextState, from);
const frame = (ageSeconds?: number | null): LineEvent => ({ kind: 'frame', ageSeconds });
const ended = (more: Partial<Extract<LineEvent, { kind: 'ended' }>> = {}): LineEvent => ({
  ...{ kind: 'ended', isOnline: true, isReachable: true, isRefused: false, failures: 1 },
  ...more,
});

describe('the line to the server', () => {
  test('is live only while the server receives changes', () => {
    expect(stateAfter([frame(0)])).toBe('live');
    expect(stateAfter([frame(0), frame(15)])).toBe('live');
    expect(stateAfter([frame(0), frame(16)])).toBe('delayed');
    expect(stateAfter([frame(0), frame(null)])).toBe('delayed');
    expect(stateAfter([frame(null), frame(2)])).toBe('live');
  });

  test('is not made live by a frame that tells no age', () => {
    expect(stateAfter([frame()])).toBe('connecting');
    expect(stateAfter([frame(null), frame()])).toBe('delayed');
    expect(stateAfter([{ kind: 'offline' }, frame()])).toBe('offline');
  });

  test('is not live when nothing comes any more', () => {
    expect(stateAfter([frame(0), { kind: 'silence' }])).toBe('reconnecting');
    expect(stateAfter([frame(20), { kind: 'silence' }])).toBe('reconnecting');
    expect(stateAfter([{ kind: 'offline' }, { kind: 'silence' }])).toBe('offline');
  });

  test('is offline at once, until a stream is back', () => {
    const cut = [frame(0), { kind: 'offline' }] as const;
    expect(stateAfter(cut)).toBe('offline');
    expect(stateAfter([...cut, ended({ isOnline: false, isReachable: false })])).toBe('offline');
    expect(stateAfter([...cut, ended({ failures: 0 })])).toBe('offline');
    expect(stateAfter([...cut, ended({ isReachable: false })])).toBe('reconnecting');
    expect(stateAfter([...cut, frame(1)])).toBe('live');
  });

  test('asks by itself where a proxy holds streams back, and not while the server is away', () => {
    expect(stateAfter([ended({ isRefused: true })])).toBe('polling');
    expect(stateAfter([ended({ failures: 3 })])).toBe('polling');
    expect(stateAfter([ended({ failures: 3, isReachable: false })])).toBe('reconnecting');
  });

  test('says nothing of a stream that lasted and is opened again', () => {
    expect(stateAfter([frame(0), ended({ failures: 0 })])).toBe('live');
  });
});
