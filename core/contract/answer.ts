/** An earlier exchange of the conversation. */
export interface EarlierTurn {
  readonly question: string;
  /** Null if the answer was the fallback message. */
  readonly answer: string | null;
}

export type Confidence = 'high' | 'medium' | 'low';

/** A passage that supports an answer. */
export interface Source {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string | null;
  /** The passage's exact text, in Markdown. */
  readonly chunk: string;
  /** 0 to 1. */
  readonly score: number;
}

export interface Answer {
  readonly text: string;
  /** Best first, at most five. If `confidence` is low, they are related passages, or empty. */
  readonly sources: readonly Source[];
  readonly confidence: Confidence;
  /** The score of the best passage, 0 to 1; 0 if nothing was found. */
  readonly score: number;
  /** Tokens billed by language models; 0 without a model. */
  readonly tokensUsed: number;
  readonly skillsFired: readonly string[];
}

/** Why an answer is incomplete: the client disconnected, or the time limit passed. */
export type EarlyEnd = 'cancelled' | 'timeout';

/**
 * The abort reason that stores the answer written so far, marked as incomplete. With any other reason, nothing is stored.
 */
export class Interruption extends Error {
  readonly ended: EarlyEnd;

  constructor(ended: EarlyEnd) {
    super(`the answer was interrupted: ${ended}`);
    this.name = 'Interruption';
    this.ended = ended;
  }
}
