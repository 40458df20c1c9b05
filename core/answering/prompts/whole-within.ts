import { estimateTokens } from '../models/estimate-tokens.ts';

/** The first of the texts, as many as fit into so many tokens together; none is ever cut. */
export function wholeWithin<Item>(
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
