/** About so many characters are a token, in any language that models are good at. */
const CHARACTERS_PER_TOKEN = 4;

/** How many tokens so many characters are, where nobody has counted them. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
