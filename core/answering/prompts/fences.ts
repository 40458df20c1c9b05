import type { EarlierTurn } from '../../contract/answer.ts';
import { estimateTokens } from '../../models/chat-model.ts';

export interface TranscriptMessage {
  readonly from: 'visitor' | 'assistant' | 'agent';
  readonly text: string;
}

/**
 * Formats a conversation for a model: the summary of its beginning, then its messages, in fences that no text can close.
 */
export function fencedConversation(summary: string | null, messages: readonly TranscriptMessage[]): string {
  const start = summary === null ? [] : [`<summary>\n${escapeFence(summary)}\n</summary>`];
  const lines = messages.map(
    ({ from, text }) => `<message from="${from}">\n${escapeFence(text)}\n</message>`,
  );
  return ['<conversation>', ...start, ...lines, '</conversation>'].join('\n');
}

/** Matches the start of any fence that the prompts use. */
const FENCE = /<(?=\/?\s*(?:passages?|question|summary|conversation|message|earlier)\b)/giu;

/** Escapes fences in a text, so that it cannot close the fence around it. */
export function escapeFence(text: string): string {
  return text.replace(FENCE, '‹');
}

/** Returns the newest turns that fit into a token budget, oldest first. Turns are never truncated. */
export function newestTurns(turns: readonly EarlierTurn[], tokens: number): readonly EarlierTurn[] {
  const newestFirst = turns.toReversed();
  return fitTokenBudget(
    newestFirst,
    tokens,
    ({ question, answer }) => question + (answer ?? ''),
  ).toReversed();
}

/** Returns the leading items that fit into a token budget together. Items are never truncated. */
export function fitTokenBudget<Item>(
  items: readonly Item[],
  tokens: number,
  textOf: (item: Item) => string,
): readonly Item[] {
  let characters = 0;
  const end = items.findIndex((item) => {
    characters += textOf(item).length;
    return estimateTokens(characters) > tokens;
  });
  return end === -1 ? items : items.slice(0, end);
}
