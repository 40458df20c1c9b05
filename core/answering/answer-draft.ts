import type { AnswerDelta } from '../contract/answer-writer.ts';
import { waitUntilAborted } from '../wait-until-aborted.ts';
import type { Answer } from './answer.ts';
import type { AnswerListener, Stage } from './answer-listener.ts';
import { splitTokens } from './split-tokens.ts';

interface DraftOptions {
  /** Once it is aborted every step throws its reason. */
  readonly signal: AbortSignal;
  readonly listener?: AnswerListener | undefined;
}

type Grounds = Omit<Answer, 'text' | 'tokensUsed'>;

/** What a writer told of the passages behind its text. */
interface Relayed {
  readonly chunkIds: ReadonlySet<string>;
  readonly isGrounded: boolean;
}

/** An answer while it is written: tells the listener, and holds as much of it as there is. */
export class AnswerDraft {
  readonly signal: AbortSignal;
  /** Waits for one thing at a time, as long as anybody waits for the answer. */
  readonly wait: <Value>(awaited: Promise<Value>) => Promise<Value>;
  readonly #listener: AnswerListener | undefined;
  #grounds: Grounds = { sources: [], confidence: 'low', score: 0, skillsFired: [] };
  #text = '';
  #tokensUsed = 0;

  constructor({ signal, listener }: DraftOptions) {
    this.signal = signal;
    this.wait = waitUntilAborted(signal);
    this.#listener = listener;
  }

  /** Whether anybody hears the answer while it is written. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** As far as it was written. */
  answer(): Answer {
    return { ...this.#grounds, text: this.#text, tokensUsed: this.#tokensUsed };
  }

  /** Counts what was paid for beside the text. */
  spend(tokens: number): void {
    this.#tokensUsed += tokens;
  }

  /** What the answer rests on, as far as that is known by now. */
  restOn(grounds: Partial<Grounds>): void {
    this.#grounds = { ...this.#grounds, ...grounds };
  }

  async enter(stage: Stage): Promise<void> {
    this.signal.throwIfAborted();
    await this.#heard(this.#listener?.stage(stage));
    this.signal.throwIfAborted();
  }

  /** Adds a text that is at hand whole; who listens hears it word by word. */
  async say(text: string): Promise<void> {
    if (this.#listener === undefined) this.#text += text;
    else for (const token of splitTokens(text)) await this.#add(token);
  }

  /** Adds the pieces as they come; what was told with them of the passages behind them. */
  async relay(deltas: AsyncIterable<AnswerDelta>): Promise<Relayed> {
    const chunkIds = new Set<string>();
    let isGrounded = true;
    const source = deltas[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.wait(source.next());
        if (done) return { chunkIds, isGrounded };
        this.#tokensUsed += value.tokensUsed ?? 0;
        if (value.ungrounded === true) isGrounded = false;
        for (const id of value.chunkIds ?? []) chunkIds.add(id);
        if (value.text !== '') await this.#add(value.text);
      }
    } finally {
      // Nobody waits for a writer that was given up, and nobody minds how it ends.
      void Promise.allSettled([source.return?.()]);
    }
  }

  async #add(text: string): Promise<void> {
    this.signal.throwIfAborted();
    this.#text += text;
    await this.#heard(this.#listener?.token(text));
  }

  async #heard(taken: void | Promise<void> | undefined): Promise<void> {
    if (taken !== undefined) await this.wait(taken);
  }
}
