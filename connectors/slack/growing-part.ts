import type { Part } from './part.ts';

/** An answer as it is so far: nothing stands below it yet. */
export function growingPart(markdown: string): Part {
  const shown = markdown.trim() === '' ? '…' : markdown;
  return { markdown: shown, text: shown, sources: [], offers: [], language: null };
}
