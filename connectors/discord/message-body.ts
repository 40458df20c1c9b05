import { buttonsFor } from './buttons-for.ts';
import type { Part } from './part.ts';

const SUPPRESS_EMBEDS = 4;

/** Nobody is ever called by what we say, and no previews of links are shown. */
export function messageBody({ text, offers }: Part, lane: string) {
  const components = buttonsFor(offers, lane);
  return { content: text, components, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}
