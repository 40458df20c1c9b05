interface OfferTexts {
  /** On what is pressed to get a person. */
  readonly human: string;
  /** To who said what he thinks of an answer. */
  readonly thanks: string;
  /** What the two signs for that mean, for who hears them read out. */
  readonly good: string;
  readonly bad: string;
}

const english: OfferTexts = {
  human: 'Talk to a person',
  thanks: 'Thank you!',
  good: 'A good answer',
  bad: 'Not a good answer',
};

const texts: Readonly<Record<string, OfferTexts>> = {
  en: english,
  de: {
    human: 'Mit einem Menschen sprechen',
    thanks: 'Vielen Dank!',
    good: 'Eine gute Antwort',
    bad: 'Keine gute Antwort',
  },
  es: {
    human: 'Hablar con una persona',
    thanks: '¡Gracias!',
    good: 'Una buena respuesta',
    bad: 'No es una buena respuesta',
  },
  fr: {
    human: 'Parler à une personne',
    thanks: 'Merci !',
    good: 'Une bonne réponse',
    bad: 'Pas une bonne réponse',
  },
};

/** What is pressed to get a person, in all languages. */
export const humanOffers: readonly string[] = Object.values(texts).map(({ human }) => human);

/** The words of what a reply offers, in a language (ISO 639-1), or in English. */
export function offerTexts(language: string | null | undefined): OfferTexts {
  return texts[language ?? ''] ?? english;
}
