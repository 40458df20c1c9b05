import { american, british } from './english.ts';
import { german } from './german.ts';
import type { SpeechLanguage } from './speech-language.ts';

const others: Readonly<Record<string, SpeechLanguage>> = { de: german, en: british };

/** How a text of that language (BCP 47) is read aloud; null for one of which nothing is known here. */
export function languageOf(tag: string): SpeechLanguage | null {
  return tag === 'en-US' ? american : (others[tag.split('-', 1)[0] ?? ''] ?? null);
}
