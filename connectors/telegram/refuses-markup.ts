import type { Refusal } from './refusal.ts';

/** "can't parse entities: …", "ENTITY_BOUNDS_INVALID", "unsupported start tag": the text itself is not at fault. */
export function refusesMarkup({ code, words }: Refusal): boolean {
  return code === 400 && /entit|parse|\btag\b/i.test(words);
}
