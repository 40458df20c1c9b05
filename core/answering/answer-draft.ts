import { rejectOnAbort } from '../async.ts';
import type { AnswerDelta } from '../contract/answer-writer.ts';
import type { SkillEffect } from '../contract/skill.ts';
import { isUnspaced } from '../knowledge/text/tokens.ts';
import type { Answer, AnswerListener, Stage } from './answer.ts';
import type { LinkGuard } from './safety/link-guard.ts';

interface DraftOptions {
  /** Once it is aborted every step throws its reason. */
  readonly signal: AbortSignal;
  readonly listener?: AnswerListener | undefined;
}

type Grounds = Omit<Answer, 'text' | 'tokensUsed' | 'skillsFired'>;

/** A skill that ran, and what is to be stored of it. */
export interface SkillRun {
  readonly skill: string;
  readonly effects: readonly SkillEffect[];
}

/** What a writer told of the passages behind its text. */
interface GroundedText {
  readonly chunkIds: ReadonlySet<string>;
  readonly isGrounded: boolean;
  readonly wantsAction: boolean;
}

/** An answer while it is written: tells the listener, and holds as much of it as there is. */
export class AnswerDraft {
  readonly signal: AbortSignal;
  /** Waits for one thing at a time, as long as anybody waits for the answer. */
  readonly wait: <Value>(awaited: Promise<Value>) => Promise<Value>;
  readonly #listener: AnswerListener | undefined;
  #grounds: Grounds = { sources: [], confidence: 'low', score: 0 };
  readonly #fired: SkillRun[] = [];
  #text = '';
  #gap = '';
  #tokensUsed = 0;

  constructor({ signal, listener }: DraftOptions) {
    this.signal = signal;
    this.wait = rejectOnAbort(signal);
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
    const skillsFired = [...new Set(this.#fired.map(({ skill }) => skill))];
    return { ...this.#grounds, text: this.#text, tokensUsed: this.#tokensUsed, skillsFired };
  }

  /** Counts what was paid for beside the text. */
  spend(tokens: number): void {
    this.#tokensUsed += tokens;
  }

  /** What the answer rests on, as far as that is known by now. */
  restOn(grounds: Partial<Grounds>): void {
    this.#grounds = { ...this.#grounds, ...grounds };
  }

  /** The skills that ran, in their order. */
  get fired(): readonly SkillRun[] {
    return this.#fired;
  }

  fire(fired: SkillRun): void {
    this.#fired.push(fired);
  }

  async enter(stage: Stage): Promise<void> {
    this.signal.throwIfAborted();
    await this.#heard(this.#listener?.stage(stage));
    this.signal.throwIfAborted();
  }

  /** What is added next begins a paragraph of its own. */
  beginParagraph(): void {
    if (!this.isEmpty) this.#gap = '\n\n';
  }

  /** Adds a text that is at hand whole; who listens hears it word by word. */
  async say(text: string): Promise<void> {
    if (this.#listener === undefined) await this.#add(text);
    else for (const token of splitTokens(text)) await this.#add(token);
  }

  /** Adds the pieces as they come, without foreign links; what was told with them of the passages behind them. */
  async relay(deltas: AsyncIterable<AnswerDelta>, guard: LinkGuard): Promise<GroundedText> {
    const chunkIds = new Set<string>();
    let isGrounded = true;
    let wantsAction = false;
    const source = deltas[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.wait(source.next());
        if (done) {
          await this.#add(guard.end());
          return { chunkIds, isGrounded, wantsAction };
        }
        this.#tokensUsed += value.tokensUsed ?? 0;
        if (value.wantsAction === true) wantsAction = true;
        if (value.ungrounded === true) isGrounded = false;
        for (const id of value.chunkIds ?? []) chunkIds.add(id);
        await this.#add(guard.push(value.text));
      }
    } finally {
      // Nobody waits for a writer that was given up, and nobody minds how it ends.
      void Promise.allSettled([source.return?.()]);
    }
  }

  async #add(text: string): Promise<void> {
    if (text === '') return;
    this.signal.throwIfAborted();
    const added = this.#gap + text;
    this.#gap = '';
    this.#text += added;
    await this.#heard(this.#listener?.token(added));
  }

  async #heard(taken: void | Promise<void> | undefined): Promise<void> {
    if (taken !== undefined) await this.wait(taken);
  }
}

const WORD = /^\s+|\S+\s*/gu;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** A text in pieces of about a word, in any script; joined they are the text. */
export function splitTokens(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  return words.flatMap((word) =>
    isUnspaced(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : word,
  );
}
