import { afterEach, describe, expect, test, vi } from 'vitest';
import { PiggybackBatch, type PiggybackItem } from '../../../core/conversations/piggyback-batch.ts';

const riderOf = (session: string): PiggybackItem => ({ session, values: {} });

/** Records the stored items each time that it may continue. Items named `bad` make it fail. */
function open() {
  const riders = new PiggybackBatch();
  const gone: string[][] = [];
  const gates: (() => void)[] = [];
  const take = async (riding: readonly PiggybackItem[]) => {
    const sessions = riding.map(({ session }) => session);
    gone.push(sessions);
    await new Promise<void>((resolve) => gates.push(resolve));
    if (sessions.includes('bad')) throw new TypeError('not that');
    return { itemValues: sessions.map((session) => `${session} is noted`) };
  };
  const store = (callerRetries = false) => riders.storeWithWaiting(take, { callerRetries });
  const letGo = async () => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { gone, store, letGo, wait: (session: string) => riders.add(riderOf(session)) };
}

describe('an item to store with turns', () => {
  afterEach(() => void vi.useRealTimers());

  test('does not wait if no turns are being stored', async () => {
    const { wait } = open();
    expect(await wait('one')).toBeNull();
  });

  test('is stored with the next turns, and gets its result', async () => {
    const { gone, store, letGo, wait } = open();
    void store();
    const waiting = [wait('one'), wait('two')];
    void store();
    expect(gone).toEqual([[], ['one', 'two']]);
    await letGo();
    await letGo();
    expect(await Promise.all(waiting)).toEqual([{ value: 'one is noted' }, { value: 'two is noted' }]);
  });

  test('is returned unstored if no turns follow', async () => {
    const { store, letGo, wait } = open();
    void store();
    const waiting = wait('one');
    await letGo();
    expect(await waiting).toBeNull();
  });

  test('keeps waiting while other turns are being stored', async () => {
    const { gone, store, letGo, wait } = open();
    void store();
    void store();
    const waiting = wait('one');
    await letGo();
    void store();
    await letGo();
    await letGo();
    expect(gone).toEqual([[], [], ['one']]);
    expect(await waiting).toEqual({ value: 'one is noted' });
  });

  test('is returned unstored if it fails, and the turns are stored without it', async () => {
    const { gone, store, letGo, wait } = open();
    void store();
    const waiting = [wait('one'), wait('bad')];
    const stored = store();
    for (let gate = 0; gate < 3; gate += 1) await letGo();
    expect(await Promise.all(waiting)).toEqual([null, null]);
    expect(await stored).toEqual({ itemValues: [] });
    expect(gone).toEqual([[], ['one', 'bad'], []]);
  });

  test('is returned at once if it fails and the caller retries the turns', async () => {
    const { gone, store, letGo, wait } = open();
    void store();
    const waiting = wait('bad');
    const refused = expect(store(true)).rejects.toThrow('not that');
    for (let gate = 0; gate < 2; gate += 1) await letGo();
    await refused;
    expect(await waiting).toBeNull();
    expect(gone).toEqual([[], ['bad']]);
  });

  test('waits at most 50 ms for turns that do not finish', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { store, wait } = open();
    void store();
    const waiting = wait('one');
    vi.advanceTimersByTime(50);
    expect(await waiting).toBeNull();
  });
});
