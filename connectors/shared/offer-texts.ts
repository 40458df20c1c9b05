interface OfferTexts {
  /** Label of the button that asks for a person. */
  readonly human: string;
  /** Reply to a visitor who rated an answer. */
  readonly thanks: string;
  /** Labels of the two rating buttons, for screen readers. */
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

/** The labels of the button that asks for a person, in all languages. */
export const humanOffers: readonly string[] = Object.values(texts).map(({ human }) => human);

/** Returns the texts around a reply in a language (ISO 639-1); in English if there is no translation. */
export function offerTexts(language: string | null | undefined): OfferTexts {
  return texts[language ?? ''] ?? english;
}
