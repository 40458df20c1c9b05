import { describe, expect, test } from 'vitest';
import { BurstCollector } from '../../../../core/channels/inbound/burst-collector.ts';

function openCollector() {
  const time = { now: new Date('2026-05-01T12:00:00Z') };
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  const collector = new BurstCollector({ clock: { now: () => time.now }, wait });
  const { signal } = new AbortController();
  const ago = (ms: number) => new Date(time.now.getTime() - ms);
  return { time, waits, collect: (ms: number) => collector.collect(ago(ms), signal) };
}

describe('the time in which a burst is collected', () => {
  test('is what is left of 60 ms, also if the clock of the receiving process is ahead', async () => {
    const { waits, collect } = openCollector();
    expect([await collect(0), await collect(45), await collect(-5_000)]).toEqual([
      'waited',
      'waited',
      'waited',
    ]);
    expect(waits).toEqual([60, 15, 60]);
  });

  test('is over for a message that had to wait', async () => {
    const { waits, collect } = openCollector();
    expect(await collect(60)).toBe('old');
    expect(waits).toEqual([]);
  });

  test('is granted 30 times in a row and a second, so that a busy process keeps its speed', async () => {
    const { time, waits, collect } = openCollector();
    for (let turn = 0; turn < 30; turn += 1) expect(await collect(0)).toBe('waited');
    expect(await collect(0)).toBe('busy');
    time.now = new Date(time.now.getTime() + 100);
    for (let turn = 0; turn < 3; turn += 1) expect(await collect(0)).toBe('waited');
    expect(await collect(0)).toBe('busy');
    expect(waits).toHaveLength(33);
  });
});
