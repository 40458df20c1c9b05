/** Somebody who hears an answer while it is made. */
export interface LiveHearing {
  /** The event that he told, in his lane. */
  readonly number: string;
  readonly onText: (piece: string) => void;
  /** Aborted with an Interruption, what there is of the answer is kept. */
  readonly signal: AbortSignal;
}
