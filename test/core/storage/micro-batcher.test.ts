import { describe, expect, test } from 'vitest';
import { MicroBatcher } from '../../../core/storage/micro-batcher.ts';

interface Options {
  readonly thenAlone?: 'in order' | 'at once';
  readonly gathers?: boolean;
  readonly most?: number;
}

/** Records each batch, which finishes when it is released. Rejects batches that contain `bad`. */
function open({ most, ...options }: Options = {}) {
  const runs: string[] = [];
  const gates: (() => void)[] = [];
  const together = new MicroBatcher({
    nameOf: (key: { readonly name: string }) => key.name,
    run: async ({ name }, items: readonly string[]) => {
      runs.push([name, ...items].join(' '));
      await new Promise<void>((resolve) => gates.push(resolve));
      if (items.includes('bad')) throw new TypeError('not that');
      return (item, index) => `${item} ${index}`;
    },
    ...options,
    ...(most !== undefined && { most: () => most }),
  });
  const letGo = async () => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const ask = (item: string, name = 'a') => together.add({ name }, item);
  return { runs, ask, letGo };
}

describe('a micro-batch', () => {
  test("runs at once if none is running, otherwise next, and returns each item's own result", async () => {
    const { runs, ask, letGo } = open();
    const asked = ['one', 'two', 'three'].map((item) => ask(item));
    expect(runs).toEqual(['a one']);
    await letGo();
    expect(runs).toEqual(['a one', 'a two three']);
    await letGo();
    expect(await Promise.all(asked)).toEqual(['one 0', 'two 0', 'three 1']);
    void ask('four');
    expect(runs.at(-1)).toBe('a four');
  });

  test('does not wait for other keys', () => {
    const { runs, ask } = open();
    void ask('one');
    void ask('two', 'b');
    expect(runs).toEqual(['a one', 'b two']);
  });

  test('fails as a whole and does not block the next one', async () => {
    const { ask, letGo } = open();
    const asked = Promise.allSettled(['one', 'bad', 'two'].map((item) => ask(item)));
    await letGo();
    await letGo();
    expect((await asked).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    const later = ask('three');
    await letGo();
    expect(await later).toBe('three 0');
  });

  test('is retried item by item, in order, if so configured', async () => {
    const { runs, ask, letGo } = open({ thenAlone: 'in order' });
    const asked = Promise.allSettled(['one', 'bad', 'two'].map((item) => ask(item)));
    for (let gate = 0; gate < 4; gate += 1) await letGo();
    expect((await asked).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual(['a one', 'a bad two', 'a bad', 'a two']);
  });

  test('is retried item by item at once, without blocking others, if so configured', async () => {
    const { runs, ask, letGo } = open({ thenAlone: 'at once' });
    const asked = ['one', 'bad', 'two'].map((item) => ask(item));
    const refused = expect(asked[1]).rejects.toThrow('not that');
    for (let gate = 0; gate < 2; gate += 1) await letGo();
    expect(runs).toEqual(['a one', 'a bad two', 'a bad', 'a two']);
    void ask('later');
    expect(runs.at(-1)).toBe('a later');
    for (let gate = 0; gate < 2; gate += 1) await letGo();
    await refused;
    expect(await asked[2]).toBe('two 0');
  });

  test('has a maximum size if so configured', async () => {
    const { runs, ask, letGo } = open({ most: 2 });
    const asked = ['one', 'two', 'three', 'four'].map((item) => ask(item));
    for (let gate = 0; gate < 3; gate += 1) await letGo();
    expect(runs).toEqual(['a one', 'a two three', 'a four']);
    expect(await Promise.all(asked)).toEqual(['one 0', 'two 0', 'three 1', 'four 0']);
  });

  test('collects items for one event-loop turn if so configured', async () => {
    const { runs, ask, letGo } = open({ gathers: true });
    const asked = ['one', 'two'].map((item) => ask(item));
    expect(runs).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toEqual(['a one two']);
    await letGo();
    expect(await Promise.all(asked)).toEqual(['one 0', 'two 1']);
  });
});
