import type { Logger } from '../../base/log.ts';
import { toStorableText } from '../../base/text.ts';
import type { AnswerDelta, AnswerWriter, WritingTask } from '../../contract/answer-writer.ts';
import {
  type ChatMessage,
  type ChatModel,
  estimateTokens,
  type ModelPiece,
} from '../../models/chat-model.ts';
import { failOver, type StreamTimeouts, withTimeouts } from '../../models/fail-over.ts';
import type { ModelSource } from '../../models/model-pool.ts';
import { ProviderFailure } from '../../models/provider-failure.ts';
import { answerPrompt } from '../prompts/answer-v3.ts';
import { PromptEcho } from '../prompts/prompt-echo.ts';
import { AnswerText } from './answer-text.ts';
import { SentenceSupport } from './sentence-support.ts';

/** The maximum length of an answer. Models that may write 1,024 tokens rarely reach half of it. */
export const MAX_CHARACTERS = 8_000;
/** The maximum amount of model output that is read, including sentences that are not shown. */
const MAX_READ = 2 * MAX_CHARACTERS;

export interface ModelWriterOptions {
  readonly pool: ModelSource;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Timeouts for streamed answers, for complete ones, for the last available model, and for models that think. */
  readonly patience: {
    readonly streamed: StreamTimeouts;
    readonly whole: StreamTimeouts;
    readonly last: StreamTimeouts;
    readonly thinking: StreamTimeouts;
  };
}

interface Attempt {
  readonly task: WritingTask;
  readonly messages: readonly ChatMessage[];
  /** Whether no other model is left. */
  readonly isLast: boolean;
  /** How many models failed before. */
  readonly failed: number;
}

/** Writes answers with a language model, restricted to text that the passages support. */
export class ModelWriter implements AnswerWriter {
  readonly #options: ModelWriterOptions;
  /** Keyed by system text. There are few of them, and each takes 0.25 ms to prepare. */
  readonly #echoes = new Map<string, PromptEcho>();

  constructor(options: ModelWriterOptions) {
    this.#options = options;
  }

  /**
   * Returns the generator of `failOver` directly, because a generator around it would add several microtasks for each
   * token.
   */
  write(task: WritingTask): AsyncIterable<AnswerDelta> {
    const { pool, log } = this.#options;
    const messages = answerPrompt(task);
    return failOver(() => pool.inOrder(task.model), {
      attempt: (model, place) => this.#attempt(model, { task, messages, ...place }),
      isShown: ({ text }) => text !== '',
      log,
      observe: task.observer?.attempt,
    });
  }

  async *#attempt(model: ChatModel, attempt: Attempt): AsyncGenerator<AnswerDelta> {
    const { task, messages, failed } = attempt;
    const isStrict = task.strictness === 'strict';
    const support = new SentenceSupport(task);
    const echo = this.#findEcho(systemText(messages));
    const parts = (task.parts ?? []).length > 1 ? task.parts : undefined;
    const observe = task.observer?.sentence;
    const text = new AnswerText({
      support,
      echo,
      flowing: task.streamed,
      lenient: !isStrict,
      parts,
      observe,
    });
    const limit = new LengthLimit();
    let counted = 0;
    let inputTokens = 0;
    let written = 0;
    let read = 0;
    let length = 0;
    let held = '';
    for await (const piece of this.#pieces(model, attempt)) {
      written += piece.text.length;
      counted += piece.tokensUsed;
      inputTokens += piece.inputTokens ?? 0;
      if (requestsAction(task, piece)) {
        const tokensUsed = counted || estimateUsage(messages, written);
        yield { text: '', tokensUsed, inputTokens, wantsAction: true, model: { name: model.name, failed } };
        return;
      }
      const room = Math.max(0, MAX_READ - read);
      read += piece.text.length;
      const shown = limit.cut(text.push(toStorableText(piece.text.slice(0, room))));
      length += shown.length;
      if (!task.streamed) held += shown;
      else if (shown !== '') yield { text: shown };
      // Leaving the loop closes the connection, so that further output is not billed.
      if (limit.isReached || read >= MAX_READ) break;
    }
    if (written === 0) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
    const last = limit.cut(text.end());
    const isShown = isStreamable(task) || text.isGrounded;
    yield {
      text: isShown ? held + last : '',
      tokensUsed: counted === 0 ? estimateUsage(messages, written) : counted,
      inputTokens,
      model: { name: model.name, failed },
      ...report(text, { hasParts: parts !== undefined, length: isShown ? length + last.length : 0 }),
    };
  }

  #findEcho(prompt: string): PromptEcho {
    const echo = this.#echoes.get(prompt) ?? new PromptEcho(prompt);
    this.#echoes.set(prompt, echo);
    return echo;
  }

  #pieces(
    model: ChatModel,
    { task: { temperature, streamed, tools, signal }, messages, isLast }: Attempt,
  ): AsyncIterable<ModelPiece> {
    const { streamed: streamTimeouts, whole, last, thinking } = this.#options.patience;
    const patience = model.thinks ? thinking : isLast ? last : streamed ? streamTimeouts : whole;
    return withTimeouts(
      (connection) => model.write({ messages, temperature, streamed, tools, signal: connection }),
      { signal, patience },
    );
  }
}

function requestsAction({ tools = [] }: WritingTask, { toolCalls = [] }: ModelPiece): boolean {
  return tools.length > 0 && toolCalls.length > 0;
}

/** Whether a text is shown although no passage supports it: it was shown already, or may be. */
function isStreamable({ strictness, streamed }: WritingTask): boolean {
  return strictness !== 'strict' || streamed;
}

/** Returns what the passages support of a complete text, of which `length` characters are shown. */
function report(
  { isGrounded, isTrimmed, chunkIds, citations, answeredParts }: AnswerText,
  { hasParts, length }: { readonly hasParts: boolean; readonly length: number },
): Omit<AnswerDelta, 'text'> {
  return {
    chunkIds,
    citations: citations
      .filter(({ start }) => start < length)
      .map((citation) => ({ ...citation, end: Math.min(citation.end, length) })),
    ...(!isGrounded && { ungrounded: true }),
    ...(isTrimmed && { trimmed: true }),
    ...(hasParts && answeredParts !== null && { answeredParts }),
  };
}

function systemText(messages: readonly ChatMessage[]): string {
  return messages.find(({ role }) => role === 'system')?.text ?? '';
}

/** Estimates the usage for providers that do not report it. No tokeniser is loaded for it. */
function estimateUsage(messages: readonly ChatMessage[], written: number): number {
  const promptChars = messages.reduce((sum, { text }) => sum + text.length, 0);
  return estimateTokens(promptChars + written);
}

/** From this length on, the answer ends with its next sentence. */
const ENDING_CHARACTERS = 7_000;
const SENTENCE_END = /[.!?…][)"'”’»]*(?=\s|$)|[。！？]|\n/gu;

/** Ends a text that arrives in pieces before it becomes too long, at the end of a sentence if possible. */
export class LengthLimit {
  #length = 0;
  #reached = false;

  get isReached(): boolean {
    return this.#reached;
  }

  /** Returns the part of the next piece that may be shown. */
  cut(piece: string): string {
    if (this.#reached) return '';
    const before = this.#length;
    this.#length += piece.length;
    if (this.#length <= ENDING_CHARACTERS) return piece;
    const room = MAX_CHARACTERS - before - 1;
    for (const { index, 0: stop } of piece.matchAll(SENTENCE_END)) {
      const end = index + stop.length;
      if (before + end < ENDING_CHARACTERS || end > room) continue;
      this.#reached = true;
      return piece.slice(0, end).trimEnd();
    }
    if (this.#length < MAX_CHARACTERS) return piece;
    this.#reached = true;
    const head = piece.slice(0, Math.max(0, room));
    return `${head.replace(/(?<!\S)\S+$/u, '').trimEnd()}…`;
  }
}
