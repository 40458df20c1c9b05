import type { EarlierMessage } from '../../contract/facets.ts';
import { truncateText } from '../../text.ts';
import { estimateTokens } from '../models/chat-model.ts';
import type { EarlierTurn } from '../understanding/standalone-question.ts';

export interface TranscriptMessage {
  readonly from: 'visitor' | 'assistant' | 'agent';
  readonly text: string;
}

/** What was said, for a model to read: the summary of the beginning, then messages, in fences that none can leave. */
export function fencedConversation(summary: string | null, messages: readonly TranscriptMessage[]): string {
  const begun = summary === null ? [] : [`<summary>\n${escapeFence(summary)}\n</summary>`];
  const said = messages.map(({ from, text }) => `<message from="${from}">\n${escapeFence(text)}\n</message>`);
  return ['<conversation>', ...begun, ...said, '</conversation>'].join('\n');
}

/** What would begin or end a fence of any of the prompts. */
const FENCE = /<(?=\/?\s*(?:passages?|question|summary|conversation|message|earlier)\b)/giu;

/** A text that cannot leave the fence that it is put into. */
export function escapeFence(text: string): string {
  return text.replace(FENCE, '‹');
}

/** The newest turns of a conversation that fit into so many tokens, each whole; oldest first, as they are given. */
export function newestTurns(turns: readonly EarlierTurn[], tokens: number): readonly EarlierTurn[] {
  const newestFirst = turns.toReversed();
  return fitTokenBudget(
    newestFirst,
    tokens,
    ({ question, answer }) => question + (answer ?? ''),
  ).toReversed();
}

/** The first of the texts, as many as fit into so many tokens together; none is ever cut. */
export function fitTokenBudget<Item>(
  items: readonly Item[],
  tokens: number,
  textOf: (item: Item) => string,
): readonly Item[] {
  let characters = 0;
  const tooMuch = items.findIndex((item) => {
    characters += textOf(item).length;
    return estimateTokens(characters) > tokens;
  });
  return tooMuch === -1 ? items : items.slice(0, tooMuch);
}

/** Of each message: all of them are in every prompt until they are summed up with what follows. */
const MOST_CHARS = 300;

/**
 * What people said to one another, in the place of a summary of a conversation: to every prompt it is data, by which
 * nothing is answered and nothing done. Null where nothing was said.
 */
export function overheardSummary(overheard: readonly EarlierMessage[]): string | null {
  if (overheard.length === 0) return null;
  return overheard.map(({ author, text }) => `${author}: ${truncateText(text, MOST_CHARS)}`).join('\n');
}
