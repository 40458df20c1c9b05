import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';
import type { WidgetTexts } from './widget-texts.ts';

const texts = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  pl: polish,
  tr: turkish,
  ar: arabic,
  ja: japanese,
  zh: chinese,
} as const satisfies Record<string, WidgetTexts>;

export const languages = Object.keys(texts);

export interface ChosenTexts {
  /** An ISO 639-1 code. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: WidgetTexts;
}

/** Chooses the first supported language of those that are preferred, such as `de-AT`; else English. */
export function chooseTexts(wanted: readonly string[]): ChosenTexts {
  const known = new Map<string, WidgetTexts>(Object.entries(texts));
  for (const tag of wanted) {
    const [language = ''] = tag.trim().toLowerCase().split(/[-_;]/, 1);
    const found = known.get(language);
    if (found !== undefined) return { language, direction: language === 'ar' ? 'rtl' : 'ltr', texts: found };
  }
  return { language: 'en', direction: 'ltr', texts: english };
}
