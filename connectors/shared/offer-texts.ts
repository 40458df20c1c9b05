interface OfferTexts {
  /** On what is pressed to get a person. */
  readonly human: string;
  /** To who said what he thinks of an answer. */
  readonly thanks: string;
}

const english: OfferTexts = { human: 'Talk to a person', thanks: 'Thank you!' };

const texts: Readonly<Record<string, OfferTexts>> = {
  en: english,
  de: { human: 'Mit einem Menschen sprechen', thanks: 'Vielen Dank!' },
  es: { human: 'Hablar con una persona', thanks: '¡Gracias!' },
  fr: { human: 'Parler à une personne', thanks: 'Merci !' },
};

/** What is pressed to get a person, in all languages. */
export const humanOffers: readonly string[] = Object.values(texts).map(({ human }) => human);

/** The words of what a reply offers, in a language (ISO 639-1), or in English. */
export function offerTexts(language: string | null | undefined): OfferTexts {
  return texts[language ?? ''] ?? english;
}
