import { createContext, type ReactNode, useContext } from 'react';
import { CommonTexts, type Language, type TextsOf, useChosenTexts } from './common-texts.tsx';
import { type Catalogue, english } from './english.ts';

type Texts = TextsOf<Catalogue>;

const Context = createContext<Texts>({ language: 'en', locale: 'en', texts: english, choose: () => {} });

/** Gives the screens below it the texts of the chosen language. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const value = useChosenTexts(loadTexts, english);
  if (value === undefined) return null;
  return (
    <Context value={value}>
      <CommonTexts value={value}>{children}</CommonTexts>
    </Context>
  );
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
