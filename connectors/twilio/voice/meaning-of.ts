import type { VoiceTexts } from './voice-texts.ts';

export type Meaning = 'yes' | 'no' | 'bye';

/** What a few words of a caller mean by themselves; null for everything longer, which is a question. */
export function meaningOf(speech: string, texts: VoiceTexts): Meaning | null {
  const words = bare(speech);
  const isOne = (list: readonly string[]) => list.some((one) => bare(one) === words);
  if (isOne(texts.yes)) return 'yes';
  if (isOne(texts.bye)) return 'bye';
  return isOne(texts.no) ? 'no' : null;
}

function bare(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\d]+/gu, ' ')
    .trim();
}
