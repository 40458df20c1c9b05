/** What would begin or end a fence of any of the prompts. */
const FENCE = /<(?=\/?\s*(?:passages?|question|summary|conversation|message|earlier)\b)/giu;

/** A text that cannot leave the fence that it is put into. */
export function harmless(text: string): string {
  return text.replace(FENCE, '‹');
}
