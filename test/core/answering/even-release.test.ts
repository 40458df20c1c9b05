import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ReleaseTimer, releaseEvenly } from '../../../core/answering/writing/even-release.ts';
import type { AnswerDelta } from '../../../core/contract/answer-writer.ts';

/** A clock that moves only when a test moves it. */
class VirtualTime implements ReleaseTimer {
  #now = 0;
  readonly #calls = new Set<{ readonly at: number; readonly then: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, then: () => void): () => void {
    const call = { at: this.#now + milliseconds, then };
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }

  /** The number of timers that have not fired. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Lets time pass until nothing waits for it. */
  async run(): Promise<void> {
    for (;;) {
      await nextTurn();
      const [next] = [...this.#calls].toSorted((one, other) => one.at - other.at);
      if (next === undefined) return;
      this.#calls.delete(next);
      this.#now = next.at;
      next.then();
    }
  }
}

interface Arriving extends AnswerDelta {
  readonly at: number;
}

/** A writer whose pieces arrive at the given times. It ends with the last one, or with an error. */
async function* writer(time: VirtualTime, pieces: readonly Arriving[], error?: Error) {
  for (const { at, ...delta } of pieces) {
    await new Promise<void>((resolve) => time.after(at - time.now(), resolve));
    yield delta;
  }
  if (error !== undefined) throw error;
}

/** Returns what was released, and when. */
async function release(pieces: readonly Arriving[], error?: Error) {
  const time = new VirtualTime();
  const released: Arriving[] = [];
  let failure: unknown = null;
  const reading = (async () => {
    try {
      const all = releaseEvenly(writer(time, pieces, error), time);
      for await (const delta of all) released.push({ at: Math.round(time.now()), ...delta });
    } catch (thrown) {
      failure = thrown;
    }
  })();
  await time.run();
  await reading;
  const shown = released.filter(({ text }) => text !== '');
  const times = shown.map(({ at }) => at);
  return {
    released,
    shown,
    failure,
    text: released.map(({ text }) => text).join(''),
    endedAt: time.now(),
    gaps: times.slice(1).map((at, index) => at - (times[index] ?? 0)),
    pending: time.pending,
  };
}

const words = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index} `).join('');

/** Sentences of a model that writes 30 words a second, each released when it is complete. */
const bursts = [1, 2, 3, 4].map((second) => ({ at: second * 800, text: words(24, 'word') }));

describe('the release of a writer’s text', () => {
  test('shows the first word when it arrives', async () => {
    const { shown } = await release(bursts);
    expect(shown[0]).toMatchObject({ at: 800, text: expect.stringMatching(/^word0 /) });
  });

  test('spreads the words of a sentence until the next one is expected', async () => {
    const { gaps, text } = await release(bursts);
    expect(text).toBe(bursts.map((burst) => burst.text).join(''));
    // Without it, all words of a sentence come at once, and the longest gap is 800 ms.
    expect(Math.max(...gaps)).toBeLessThan(200);
    expect(gaps.length).toBeGreaterThan(60);
  });

  test('delays the end by 150 ms at most, and a fast answer by a fifth of its time', async () => {
    const slow = await release(bursts);
    expect(slow.endedAt - 3_200).toBeLessThanOrEqual(150);
    const fast = await release([
      { at: 10, text: words(40, 'fast') },
      { at: 60, text: words(40, 'more') },
    ]);
    expect(fast.endedAt - 60).toBeLessThanOrEqual(10);
    expect((await release([{ at: 10, text: words(40, 'once') }])).endedAt).toBe(10);
  });

  test('stretches a sentence that is shown as it is written into the silence after it', async () => {
    const flowing = Array.from({ length: 24 }, (_, index) => ({
      at: 33 * (index + 1),
      text: `word${index} `,
    }));
    const { gaps } = await release([...flowing, { at: 1_300, text: words(15, 'next') }]);
    // Without it, the gap between the two sentences is 508 ms.
    expect(Math.max(...gaps)).toBeLessThan(350);
  });

  test('passes reports on at once, and each once', async () => {
    const { released } = await release([
      { at: 100, text: words(24, 'word') },
      { at: 110, text: '', tokensUsed: 7, chunkIds: ['c'], trimmed: true },
    ]);
    const reports = released.filter((delta) => Object.keys(delta).length > 2);
    expect(reports).toEqual([{ at: 110, text: '', tokensUsed: 7, chunkIds: ['c'], trimmed: true }]);
  });

  test('shows everything that was written before a failure', async () => {
    const error = new Error('cut');
    const { failure, text, endedAt } = await release(bursts.slice(0, 2), error);
    expect(failure).toBe(error);
    expect(text).toBe(`${bursts[0]?.text}${bursts[1]?.text}`);
    expect(endedAt).toBe(1_600);
  });

  test('leaves no timer behind when the reader stops, and closes the writer', async () => {
    const time = new VirtualTime();
    let isClosed = false;
    const source = (async function* () {
      try {
        for (;;) yield { text: words(24, 'word') };
      } finally {
        isClosed = true;
      }
    })();
    for await (const { text } of releaseEvenly(source, time)) if (text !== '') break;
    await nextTurn();
    expect([time.pending, isClosed]).toEqual([0, true]);
  });

  test('leaves no timer behind when the writer is aborted while words wait', async () => {
    expect(await release(bursts.slice(0, 1), new Error('aborted'))).toMatchObject({ pending: 0 });
  });
});
