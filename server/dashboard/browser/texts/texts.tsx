import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Catalogue, english } from './english.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

interface Texts {
  readonly language: Language;
  /** The language as the browser's region writes numbers and times, such as `en-GB`. */
  readonly locale: string;
  readonly texts: Catalogue;
  /** Chooses a language on this device; null follows the browser. */
  readonly choose: (language: string | null) => void;
}

const storageKey = 'parley-language';
const Context = createContext<Texts>({ language: 'en', locale: 'en', texts: english, choose: () => {} });

/** Gives the screens below it the texts of the chosen language. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const [wanted, setWanted] = useState(() => matchLanguage(readStored()));
  const [loaded, setLoaded] = useState<{ readonly language: Language; readonly texts: Catalogue }>();
  useEffect(() => {
    let current = true;
    loadTexts(wanted).then(
      (texts) => current && setLoaded({ language: wanted, texts }),
      // The catalogue did not arrive: English is always there.
      () => current && setLoaded({ language: 'en', texts: english }),
    );
    return () => {
      current = false;
    };
  }, [wanted]);
  useEffect(() => {
    if (loaded !== undefined) document.documentElement.lang = loaded.language;
  }, [loaded]);
  const value = useMemo(
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
  return value === undefined ? null : <Context value={value}>{children}</Context>;
}

/** The texts of the dashboard in the language of the person. */
export function useTexts(): Texts {
  return useContext(Context);
}

/**
 * The texts of one screen in the language of the person. A screen brings its texts in all languages with it, so that the
 * first load does not carry the texts of screens that nobody opens.
 */
export function useWords<Words>(catalogues: Readonly<Record<Language, Words>>): Words {
  return catalogues[useTexts().language];
}

/** The name of a kind of channel. A kind that has no words in this language is shown by its own. */
export function kindName(kind: string, { channels }: Catalogue): string {
  return Object.entries(channels.kinds).find(([name]) => name === kind)?.[1] ?? kind;
}

interface NamedCustomer {
  readonly handle: string | null;
  /** The kind of the channel. */
  readonly channel: string;
}

/** The name of a customer as every place shows it: an anonymous visitor is named by their channel. */
export function customerName({ handle, channel }: NamedCustomer, texts: Catalogue): string {
  return handle ?? texts.inbox.anonymousOn(kindName(channel, texts));
}

async function loadTexts(language: Language): Promise<Catalogue> {
  return language === 'de' ? (await import('./german.ts')).german : english;
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
