import type { Citation } from './answer.ts';
import type { WritingObserver } from './trace/answer-trace.ts';

/** A passage of a document that the answer may use as its source. */
export interface WriterPassage {
  readonly chunkId: string;
  readonly documentId: string;
  readonly title: string;
  readonly url: string | null;
  /** The headings above the passage, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** 0 to 1: how likely it is that the passage answers the question. */
  readonly score: number;
}

/** An action that the assistant can take for the visitor. */
export interface ActionOffer {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A question and everything the writer may use for its answer. */
export interface WritingTask {
  /** The visitor's own words. */
  readonly question: string;
  /**
   * The questions in the visitor's words, in order, if there are several. The writer answers each in a paragraph of its
   * own below the question, which is shown in bold.
   */
  readonly parts?: readonly string[];
  /** Oldest first; `answer` is null if the question was not answered. */
  readonly earlierTurns: readonly { readonly question: string; readonly answer: string | null }[];
  /**
   * A short summary of the conversation before `earlierTurns`; null if there is none. It is context only: an answer must
   * not use it as a source.
   */
  readonly summary: string | null;
  /** Best first. Empty only if `strictness` is `fallback`. */
  readonly passages: readonly WriterPassage[];
  /** `fallback` permits an answer from general knowledge if the passages do not contain one. */
  readonly strictness: 'strict' | 'fallback';
  /**
   * Actions that the writer may request instead of answering. The writer only reports the request (`wantsAction`); the
   * engine decides whether to run the action.
   */
  readonly tools?: readonly ActionOffer[];
  /** 0 to 1; null means the writer's default. */
  readonly temperature: number | null;
  /** The model that the workspace prefers, as `provider:model`; null means the installation's default. */
  readonly model: string | null;
  /** Whether a client reads the answer as it is generated. If false, the writer may return it in one piece. */
  readonly streamed: boolean;
  /** Aborts when the caller no longer needs the answer. The writer must then close its connections. */
  readonly signal: AbortSignal;
  /** Is told of the models that the writer tries and how each sentence is judged. Absent: nobody wants to know. */
  readonly observer?: WritingObserver | undefined;
}

/** The next piece of an answer. */
export interface AnswerDelta {
  /**
   * Appended to the previous pieces; may be empty. It must be well-formed Unicode without NUL characters, because
   * PostgreSQL stores it unchanged.
   */
  readonly text: string;
  /** Tokens billed since the previous piece. */
  readonly tokensUsed?: number;
  /** Those of `tokensUsed` that the request had; absent or 0 if the provider does not report them. */
  readonly inputTokens?: number;
  /** The language model that wrote, and how many failed before it; on the last piece only. */
  readonly model?: { readonly name: string; readonly failed: number };
  /**
   * Ids of the passages that support the answer, if the writer can tell. If no piece has any, the engine cites every
   * passage that scores high enough.
   */
  readonly chunkIds?: readonly string[];
  /**
   * Which sentences rest on which passages; on the last piece only. The offsets count UTF-16 code units of all
   * pieces together.
   */
  readonly citations?: readonly Citation[];
  /** Set on the last piece only: the passages do not support the answer. */
  readonly ungrounded?: true;
  /** Set on the last piece only: sentences that no passage supports were left out or replaced by quotes. */
  readonly trimmed?: true;
  /** The indexes of the `parts` that are answered; on the last piece only. Absent if all are. */
  readonly answeredParts?: readonly number[];
  /** Set on the last piece only: the visitor seems to request one of the offered actions. */
  readonly wantsAction?: true;
}

/**
 * Writes answers from passages. The engine pulls pieces one at a time, at the reader's speed. An answer without any text
 * means that the passages do not contain the answer. If a visitor may see the reason of a failure, the writer throws it
 * as an AppError.
 */
export interface AnswerWriter {
  write(task: WritingTask): AsyncIterable<AnswerDelta>;
}
