import type { AnswerDelta } from '../../contract/answer-writer.ts';
import { isUnspaced } from '../../language/tokens.ts';

/** A source of time and timers. Injected, so that tests can set it. */
export interface ReleaseTimer {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Calls `then` after some milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, then: () => void): () => void;
}

const systemTimer: ReleaseTimer = {
  now: () => performance.now(),
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The shortest time between two releases. Shorter ones cost processor time that no reader notices. */
const FRAME_MS = 25;
/** Once the writer has ended, the rest is released within this time, and within this share of the time that it wrote. */
const LAST_MS = 150;
const LAST_SHARE = 0.2;
/** The speed in characters a second that is assumed until it can be measured: some 35 tokens. */
const ASSUMED_SPEED = 150;
/** The time that is needed to measure the speed. */
const MEASURABLE_MS = 50;
/** The length that is assumed for a sentence until some were seen. */
const ASSUMED_SENTENCE = 100;
/** Shorter pieces are part of a sentence that is shown as it is written. */
const SHORTEST_SENTENCE = 20;
/** More characters than this are released at once: a reader that is slower than the writer must pause it. */
const MAX_HELD = 8_000;
/** No word is held back longer than about this time. */
const MAX_SPREAD_MS = 2_000;

/**
 * Yields the text of a writer word by word at an even pace. A writer that checks its sentences releases each at once, after
 * seconds of silence; here its words are spread over the time until the next sentence is expected. The first word is never
 * delayed, and the last at most 150 ms. After an error the text before it is still yielded.
 */
export async function* releaseEvenly(
  deltas: AsyncIterable<AnswerDelta>,
  timer: ReleaseTimer = systemTimer,
): AsyncGenerator<AnswerDelta> {
  const source = deltas[Symbol.asyncIterator]();
  const text = new HeldText(timer);
  let arriving = settle(source.next());
  try {
    for (;;) {
      const arrival = await text.untilDue(arriving);
      if (arrival === 'due') yield { text: text.take() };
      else if (arrival.kind === 'failed') {
        yield { text: text.takeAll() };
        throw arrival.error;
      } else if (arrival.result.done === true) break;
      else {
        arriving = settle(source.next());
        const { text: added, ...report } = arrival.result.value;
        text.add(added);
        if (text.isDue || Object.keys(report).length > 0) {
          yield { ...report, text: text.isDue ? text.take() : '' };
        }
      }
    }
    text.end();
    while (!text.isEmpty) {
      await text.untilDue(new Promise(() => {}));
      yield { text: text.take() };
    }
  } finally {
    text.cancel();
    // The writer is closed without waiting: its outcome no longer matters once the reader has stopped.
    void Promise.allSettled([source.return?.()]);
  }
}

type Arrival =
  | { readonly kind: 'arrived'; readonly result: IteratorResult<AnswerDelta> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Never rejects, because nobody may be waiting when the writer fails. */
async function settle(next: Promise<IteratorResult<AnswerDelta>>): Promise<Arrival> {
  try {
    return { kind: 'arrived', result: await next };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Text that has arrived and waits for its time. */
class HeldText {
  readonly #timer: ReleaseTimer;
  #words: string[] = [];
  #characters = 0;
  /** When the last word was released, and its length: the next one follows after the time that it takes at this speed. */
  #releasedAt = 0;
  #released = 0;
  /** Characters a millisecond. */
  #speed = 0;
  #firstAt: number | null = null;
  /** The characters that arrived after the first piece. */
  #measured = 0;
  #sentence = ASSUMED_SENTENCE;
  #cancelTimer: () => void = () => {};

  constructor(timer: ReleaseTimer) {
    this.#timer = timer;
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  get isDue(): boolean {
    return !this.isEmpty && (this.#characters > MAX_HELD || this.#timer.now() >= this.#dueAt);
  }

  get #dueAt(): number {
    return this.#released === 0 ? 0 : this.#releasedAt + this.#released / this.#speed;
  }

  add(text: string): void {
    if (text === '') return;
    const now = this.#timer.now();
    if (this.#firstAt === null) this.#firstAt = now;
    else this.#measured += text.length;
    if (text.length >= SHORTEST_SENTENCE) this.#sentence = (this.#sentence + text.length) / 2;
    this.#words.push(...splitTokens(text));
    this.#characters += text.length;
    const elapsed = now - this.#firstAt;
    const written = elapsed < MEASURABLE_MS ? ASSUMED_SPEED / 1_000 : this.#measured / elapsed;
    // The next sentence is expected after the time that one takes to write.
    const spreadMs = Math.min(MAX_SPREAD_MS, this.#sentence / written);
    this.#speed = this.#characters / spreadMs;
  }

  /** Returns the words whose time has come: several if they follow each other faster than frames. */
  take(): string {
    if (this.#characters > MAX_HELD) return this.takeAll();
    const now = this.#timer.now();
    let taken = '';
    // A timer that fired late does not slow the others down.
    let until = Math.max(this.#dueAt, now - FRAME_MS);
    while (!this.isEmpty && until < now + FRAME_MS) {
      const word = this.#words.shift() ?? '';
      taken += word;
      this.#releasedAt = until;
      this.#released = word.length;
      until += word.length / this.#speed;
    }
    this.#characters -= taken.length;
    return taken;
  }

  takeAll(): string {
    const all = this.#words.join('');
    this.#words = [];
    this.#characters = 0;
    return all;
  }

  /** Speeds the rest up, because no more text will arrive. */
  end(): void {
    const now = this.#timer.now();
    const restMs = Math.min(LAST_MS - FRAME_MS, LAST_SHARE * (now - (this.#firstAt ?? now)));
    this.#speed = Math.max(this.#speed, this.#characters / restMs);
    this.#released = 0;
  }

  /** Waits until words are due, or until something arrives. */
  async untilDue(arriving: Promise<Arrival>): Promise<Arrival | 'due'> {
    if (this.isEmpty) return arriving;
    const due = Promise.withResolvers<'due'>();
    this.#cancelTimer = this.#timer.after(Math.max(0, this.#dueAt - this.#timer.now()), () =>
      due.resolve('due'),
    );
    const first = await Promise.race([arriving, due.promise]);
    this.cancel();
    return first;
  }

  cancel(): void {
    this.#cancelTimer();
  }
}

const WORD = /^\s+|\S+\s*/gu;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Splits a text into pieces of about one word, in any script. Joined, they equal the text. */
export function splitTokens(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  return words.flatMap((word) =>
    isUnspaced(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : word,
  );
}
