/** A passage of a document that an answer may rest on. */
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

/** Something that can be done for the visitor. */
export interface ActionOffer {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A question with all that its answer may be written from. */
export interface WritingTask {
  /** As the visitor asked it. */
  readonly question: string;
  /** Oldest first; `answer` is null where there was none. */
  readonly earlierTurns: readonly { readonly question: string; readonly answer: string | null }[];
  /** What was said before those, in few words: data, and never a ground of an answer. Null where there is none. */
  readonly summary: string | null;
  /** Best first; empty only where `strictness` lets the answer do without. */
  readonly passages: readonly WriterPassage[];
  /** `fallback` lets the answer be from general knowledge where the passages hold none. */
  readonly strictness: 'strict' | 'fallback';
  /** What the writer may ask for instead of an answer, which it only says: whether it is done is not decided here. */
  readonly tools?: readonly ActionOffer[];
  /** 0 to 1; null leaves it to the writer. */
  readonly temperature: number | null;
  /** The workspace's first choice of a model, `provider:model`; null leaves it to the installation. */
  readonly model: string | null;
  /** Whether anybody reads along. If not, the answer may come in one piece. */
  readonly streamed: boolean;
  /** Aborted when nobody waits for the rest any more: what was opened for it has to be closed then. */
  readonly signal: AbortSignal;
}

/** The next piece of an answer. */
export interface AnswerDelta {
  /** Follows the piece before it; may be empty. Well-formed Unicode without NULs, for it is stored as it is. */
  readonly text: string;
  /** Tokens that were paid for since the piece before. */
  readonly tokensUsed?: number;
  /** Passages that the answer rests on, where the writer can tell; all that are good enough where it never does. */
  readonly chunkIds?: readonly string[];
  /** Told once, at the end: what was written does not rest on the passages. */
  readonly ungrounded?: true;
  /** Told once, at the end: the visitor seems to want something done that was offered. */
  readonly wantsAction?: true;
}

/**
 * Writes answers from passages. Pieces are pulled one at a time, as fast as the reader takes them. An answer without
 * any text says that the passages hold none. What a visitor may be told of a failure is thrown as an AppError.
 */
export interface AnswerWriter {
  write(task: WritingTask): AsyncIterable<AnswerDelta>;
}
