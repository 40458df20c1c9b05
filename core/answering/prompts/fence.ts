/** What would end or begin a fence of ours. */
const FENCE = /<(?=\/?\s*(?:passages?|question|earlier|message)\b)/giu;

/** A text that cannot leave the fence that it is put in. */
export function fenced(text: string): string {
  return text.replace(FENCE, '‹');
}
