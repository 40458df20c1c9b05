import type { EarlierTurn } from '../standalone-question.ts';
import { wholeWithin } from './whole-within.ts';

/** The newest turns of a conversation that fit into so many tokens, each whole; oldest first, as they are given. */
export function newestTurns(turns: readonly EarlierTurn[], tokens: number): readonly EarlierTurn[] {
  const newestFirst = turns.toReversed();
  return wholeWithin(newestFirst, tokens, ({ question, answer }) => question + (answer ?? '')).toReversed();
}
