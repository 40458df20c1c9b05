import type { DiscordMessage } from './native-schema.ts';
import { wordsOf } from './words-of.ts';

/** Of threads and of posts in forums. */
const MAX_CHARACTERS = 100;
const NOTHING = '…';

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a thread is called that is made from a question: its first line, as far as Discord takes it. */
export function titleOf(message: DiscordMessage, botId: string): string {
  const [line = ''] = wordsOf(message, { botId, role: null }).split('\n', 1);
  const words = line.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return NOTHING;
  return words.length <= MAX_CHARACTERS
    ? words
    : `${shortened(words, MAX_CHARACTERS - NOTHING.length)}${NOTHING}`;
}

/** Never within a letter, and after a word where there is one. */
function shortened(text: string, room: number): string {
  let kept = '';
  for (const { segment } of letters.segment(text)) {
    if (kept.length + segment.length > room) break;
    kept += segment;
  }
  return kept.replace(/(?<!\s)\s+\S*$/, '') || kept;
}
