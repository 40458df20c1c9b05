import { describe, expect, test } from 'vitest';
import { DeliveryBatcher } from '../../../../core/channels/inbound/receive-deliveries.ts';
import type { Delivery } from '../../../../core/contract/inbound.ts';

const channel = { id: 'chan_1', workspaceId: 'ws_1' };
const other = { id: 'chan_2', workspaceId: 'ws_1' };
const delivery = (id: string): Delivery => ({ id, lane: 'lane', native: {} });

/** Records each batch, which finishes when it is released. Rejects batches that contain the bad delivery. */
function openStore() {
  const stored: string[] = [];
  const gates: (() => void)[] = [];
  const batches = new DeliveryBatcher(async ({ id }, deliveries) => {
    stored.push([id, ...deliveries.map((one) => one.id)].join(' '));
    await new Promise<void>((resolve) => gates.push(resolve));
    if (deliveries.some((one) => one.id === 'bad')) throw new TypeError('the database does not take it');
    return deliveries.filter((one) => one.id !== 'known');
  });
  const letGo = async () => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { stored, batches, letGo };
}

describe('delivery batcher', () => {
  test('stores a single delivery at once and batches those that arrive meanwhile, in order', async () => {
    const { stored, batches, letGo } = openStore();
    const taken = ['a', 'b', 'c', 'd'].map((id) => batches.add(channel, [delivery(id)]));
    expect(stored).toEqual(['chan_1 a']);
    await letGo();
    expect(stored).toEqual(['chan_1 a', 'chan_1 b c d']);
    await letGo();
    expect((await Promise.all(taken)).flat().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    void batches.add(channel, [delivery('e')]);
    expect(stored.at(-1)).toBe('chan_1 e');
  });

  test('does not let channels wait for each other', () => {
    const { stored, batches } = openStore();
    void batches.add(channel, [delivery('a')]);
    void batches.add(other, [delivery('b')]);
    expect(stored).toEqual(['chan_1 a', 'chan_2 b']);
  });

  test('reports new deliveries only to the caller that added them', async () => {
    const { batches, letGo } = openStore();
    const first = batches.add(channel, [delivery('a')]);
    const known = batches.add(channel, [delivery('known')]);
    const fresh = batches.add(channel, [delivery('b')]);
    await letGo();
    await letGo();
    expect([await first, await known, await fresh]).toMatchObject([[{ id: 'a' }], [], [{ id: 'b' }]]);
  });

  test('stores a delivery even if the database rejects another one of its batch', async () => {
    const { stored, batches, letGo } = openStore();
    const first = batches.add(channel, [delivery('a')]);
    const refused = batches.add(channel, [delivery('bad')]);
    const good = batches.add(channel, [delivery('good')]);
    const failure = expect(refused).rejects.toThrow('does not take it');
    for (let gate = 0; gate < 4; gate += 1) await letGo();
    await failure;
    expect((await good).map(({ id }) => id)).toEqual(['good']);
    expect(await first).toHaveLength(1);
    expect(stored).toEqual(['chan_1 a', 'chan_1 bad good', 'chan_1 bad', 'chan_1 good']);
  });
});
