import { wholeWithin } from '../../answering/prompts/whole-within.ts';

export interface SummedMessage {
  readonly position: number;
  readonly role: string;
  readonly content: string;
}

/** Read by the model at once, beside the summary so far. */
const BATCH_TOKENS = 4_000;

/**
 * The messages that the next summary takes in: those before `until`, oldest first and whole, as many as a model reads
 * well at once. A question stays with its answer. `messages` begin where the last summary ended.
 */
export function summaryBatch(messages: readonly SummedMessage[], until: number): readonly SummedMessage[] {
  const waiting = messages.filter(({ position }) => position < until);
  const fitting = wholeWithin(waiting, BATCH_TOKENS, ({ content }) => content);
  const whole = messages.slice(0, wholeTurns(messages, fitting.length));
  // One that is too long by itself is still taken, or the summary would end there for ever.
  return whole.length > 0 ? whole : waiting.slice(0, Math.max(1, fitting.length));
}

/** How many of so many messages, at most, end where the visitor speaks next. */
function wholeTurns(messages: readonly SummedMessage[], count: number): number {
  let end = count;
  while (end > 0 && messages[end] !== undefined && messages[end]?.role !== 'user') end -= 1;
  return end;
}
