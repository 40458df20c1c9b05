/** One earlier exchange of the conversation. */
export interface EarlierTurn {
  readonly question: string;
  /** What was answered; null where the answer was the fallback. */
  readonly answer: string | null;
}

export interface StandaloneQuestion {
  /** What to search for: the question itself, or the question with what it refers to. */
  readonly searchText: string;
  /** Whether the question leans on an earlier turn. */
  readonly followUp: boolean;
}

/** A question that can be searched for without the conversation around it; `earlierTurns` oldest first. */
export function standaloneQuestion(
  question: string,
  _earlierTurns: readonly EarlierTurn[],
): StandaloneQuestion {
  return { searchText: question, followUp: false };
}
