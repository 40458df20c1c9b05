import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { frame } from './english/frame.ts';
import { parts } from './english/parts.ts';
import { signIn } from './english/sign-in.ts';
import type { Catalogue } from './english.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** The texts that pages without a person have as well. */
export type CommonCatalogue = Pick<Catalogue, 'frame' | 'parts' | 'signIn'>;

export interface TextsOf<Words> {
  readonly language: Language;
  /** The language as the browser's region writes numbers and times, such as `en-GB`. */
  readonly locale: string;
  readonly texts: Words;
  /** Chooses a language on this device; null follows the browser. */
  readonly choose: (language: string | null) => void;
}

const storageKey = 'parley-language';
const Context = createContext<TextsOf<CommonCatalogue>>({
  language: 'en',
  locale: 'en',
  texts: { frame, parts, signIn },
  choose: () => {},
});

interface CommonTextsProps {
  readonly value: TextsOf<CommonCatalogue>;
  readonly children: ReactNode;
}

/** Gives the screens below it the common texts. */
export function CommonTexts({ value, children }: CommonTextsProps) {
  return <Context value={value}>{children}</Context>;
}

/** The common texts in the language of the person: all that pages without a person, and parts of them, may use. */
export function useCommonTexts(): TextsOf<CommonCatalogue> {
  return useContext(Context);
}

/** Loads the texts of the chosen language; undefined until they have come. `english` is there if they do not. */
export function useChosenTexts<Words>(
  load: (language: Language) => Promise<Words>,
  english: Words,
): TextsOf<Words> | undefined {
  const [wanted, setWanted] = useState(() => matchLanguage(readStored()));
  const [loaded, setLoaded] = useState<{ readonly language: Language; readonly texts: Words }>();
  useEffect(() => {
    let current = true;
    load(wanted).then(
      (texts) => current && setLoaded({ language: wanted, texts }),
      () => current && setLoaded({ language: 'en', texts: english }),
    );
    return () => {
      current = false;
    };
  }, [wanted, load, english]);
  useEffect(() => {
    if (loaded !== undefined) document.documentElement.lang = loaded.language;
  }, [loaded]);
  return useMemo(
    () =>
      loaded && {
        ...loaded,
        locale: findLocale(loaded.language),
        choose: (language: string | null) => {
          store(language);
          setWanted(matchLanguage(language));
        },
      },
    [loaded],
  );
}

/** Chooses the first language that there is a catalogue for. */
function matchLanguage(chosen: string | null): Language {
  const wanted = chosen === null ? navigator.languages : [chosen];
  for (const tag of wanted) {
    const [base] = tag.toLowerCase().split('-', 1);
    if (base === 'de' || base === 'en') return base;
  }
  return 'en';
}

/** The first of the browser's languages that is a region of `language`. */
function findLocale(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(language: string | null): void {
  try {
    if (language === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, language);
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}
