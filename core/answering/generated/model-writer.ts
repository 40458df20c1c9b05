import type { AnswerDelta, AnswerWriter, WritingTask } from '../../contract/answer-writer.ts';
import type { Logger } from '../../log.ts';
import { toStorableText } from '../../text.ts';
import { type ChatMessage, type ChatModel, estimateTokens, type ModelPiece } from '../models/chat-model.ts';
import { failOver, type StreamTimeouts, withTimeouts } from '../models/fail-over.ts';
import type { ModelPool } from '../models/model-pool.ts';
import { ProviderFailure } from '../models/provider-failure.ts';
import { answerPrompt } from '../prompts/answer-v2.ts';
import { PromptEcho } from '../prompts/prompt-echo.ts';
import { AnswerText } from './answer-text.ts';
import { SentenceSupport } from './sentence-support.ts';

/** No answer is longer; models that are asked for 1,024 tokens rarely reach half of it. */
export const MOST_CHARACTERS = 8_000;
/** Of what a model writes no more is read: sentences that are not shown count too. */
const MOST_READ = 2 * MOST_CHARACTERS;

export interface ModelWriterOptions {
  readonly pool: ModelPool;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** With an answer that is streamed, with one that comes whole, and with the last model there is for either. */
  readonly patience: {
    readonly streamed: StreamTimeouts;
    readonly whole: StreamTimeouts;
    readonly last: StreamTimeouts;
  };
}

interface Attempt {
  readonly task: WritingTask;
  readonly messages: readonly ChatMessage[];
  /** Whether no other model is left to ask. */
  readonly isLast: boolean;
}

/** Answers in a language model's words, as far as the passages hold them up. */
export class ModelWriter implements AnswerWriter {
  readonly #options: ModelWriterOptions;
  /** By system text: there are few, and each costs a quarter of a millisecond to read. */
  readonly #echoes = new Map<string, PromptEcho>();

  constructor(options: ModelWriterOptions) {
    this.#options = options;
  }

  /** No generator of its own around another: each costs every token a few rounds of waiting. */
  write(task: WritingTask): AsyncIterable<AnswerDelta> {
    const { pool, log } = this.#options;
    const messages = answerPrompt(task);
    return failOver(() => pool.inOrder(task.model), {
      attempt: (model, { isLast }) => this.#attempt(model, { task, messages, isLast }),
      isShown: ({ text }) => text !== '',
      log,
    });
  }

  async *#attempt(model: ChatModel, attempt: Attempt): AsyncGenerator<AnswerDelta> {
    const { task, messages } = attempt;
    const isStrict = task.strictness === 'strict';
    const support = new SentenceSupport(task);
    const echo = this.#echoOf(systemText(messages));
    const text = new AnswerText({ support, echo, flowing: task.streamed, lenient: !isStrict });
    const limit = new LengthLimit();
    let counted = 0;
    let written = 0;
    let read = 0;
    let held = '';
    for await (const piece of this.#pieces(model, attempt)) {
      written += piece.text.length;
      counted += piece.tokensUsed;
      if ((task.tools ?? []).length > 0 && (piece.toolCalls ?? []).length > 0) {
        yield { text: '', tokensUsed: counted || estimateUsage(messages, written), wantsAction: true };
        return;
      }
      const room = Math.max(0, MOST_READ - read);
      read += piece.text.length;
      const shown = limit.take(text.push(toStorableText(piece.text.slice(0, room))));
      if (!task.streamed) held += shown;
      else if (shown !== '') yield { text: shown };
      // Leaving closes the connection: what would come is not paid for.
      if (limit.isReached || read >= MOST_READ) break;
    }
    if (written === 0) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
    const rest = held + limit.take(text.end());
    const { isGrounded, chunkIds } = text;
    yield {
      text: isStrict && !task.streamed && !isGrounded ? '' : rest,
      tokensUsed: counted === 0 ? estimateUsage(messages, written) : counted,
      chunkIds,
      ...(!isGrounded && { ungrounded: true }),
    };
  }

  #echoOf(prompt: string): PromptEcho {
    const echo = this.#echoes.get(prompt) ?? new PromptEcho(prompt);
    this.#echoes.set(prompt, echo);
    return echo;
  }

  #pieces(
    model: ChatModel,
    { task: { temperature, streamed, tools, signal }, messages, isLast }: Attempt,
  ): AsyncIterable<ModelPiece> {
    const { streamed: betweenWords, whole, last } = this.#options.patience;
    const patience = isLast ? last : streamed ? betweenWords : whole;
    return withTimeouts(
      (connection) => model.write({ messages, temperature, streamed, tools, signal: connection }),
      { signal, patience },
    );
  }
}

function systemText(messages: readonly ChatMessage[]): string {
  return messages.find(({ role }) => role === 'system')?.text ?? '';
}

/** Providers that do not count are not asked again, and nothing is fetched to count with. */
function estimateUsage(messages: readonly ChatMessage[], written: number): number {
  const asked = messages.reduce((sum, { text }) => sum + text.length, 0);
  return estimateTokens(asked + written);
}

/** From here on the answer ends with the next sentence. */
const ENDING_CHARACTERS = 7_000;
const SENTENCE_END = /[.!?…][)"'”’»]*(?=\s|$)|[。！？]|\n/gu;

/** Ends a text that comes in pieces before it is too long: with a sentence where one ends in time. */
export class LengthLimit {
  #length = 0;
  #reached = false;

  get isReached(): boolean {
    return this.#reached;
  }

  /** As much of the next piece as may be shown. */
  take(piece: string): string {
    if (this.#reached) return '';
    const before = this.#length;
    this.#length += piece.length;
    if (this.#length <= ENDING_CHARACTERS) return piece;
    const room = MOST_CHARACTERS - before - 1;
    for (const { index, 0: stop } of piece.matchAll(SENTENCE_END)) {
      const end = index + stop.length;
      if (before + end < ENDING_CHARACTERS || end > room) continue;
      this.#reached = true;
      return piece.slice(0, end).trimEnd();
    }
    if (this.#length < MOST_CHARACTERS) return piece;
    this.#reached = true;
    const head = piece.slice(0, Math.max(0, room));
    return `${head.replace(/(?<!\S)\S+$/u, '').trimEnd()}…`;
  }
}
