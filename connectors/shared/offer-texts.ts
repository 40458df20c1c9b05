import type { Reply } from '../../core/contract/outbound.ts';

interface OfferTexts {
  /** Label of the button that asks for a person. */
  readonly human: string;
  /** Label of the button below an answer that says it is unsure. */
  readonly helped: string;
  /** Below an answer that says it is unsure, where no buttons are shown. */
  readonly orPerson: string;
  /** The same where the visitor can also write the label of `helped`. */
  readonly orWords: string;
  /** Reply to a visitor who rated an answer. */
  readonly thanks: string;
  /** Labels of the two rating buttons, for screen readers. */
  readonly good: string;
  readonly bad: string;
}

const english: OfferTexts = {
  human: 'Talk to a person',
  helped: 'That helped',
  orPerson: 'If this is not it, ask to speak to a person.',
  orWords: 'Did that help? Write “That helped”. If not, ask to speak to a person.',
  thanks: 'Thank you!',
  good: 'A good answer',
  bad: 'Not a good answer',
};

const texts: Readonly<Record<string, OfferTexts>> = {
  en: english,
  de: {
    human: 'Mit einem Menschen sprechen',
    helped: 'Das hat geholfen',
    orPerson: 'Falls es das nicht ist, fragen Sie nach einem Menschen.',
    orWords:
      'Hat das geholfen? Schreiben Sie „Das hat geholfen“. Falls nicht, fragen Sie nach einem Menschen.',
    thanks: 'Vielen Dank!',
    good: 'Eine gute Antwort',
    bad: 'Keine gute Antwort',
  },
  es: {
    human: 'Hablar con una persona',
    helped: 'Me ha ayudado',
    orPerson: 'Si no es esto, pida hablar con una persona.',
    orWords: '¿Le ha ayudado? Escriba «Me ha ayudado». Si no, pida hablar con una persona.',
    thanks: '¡Gracias!',
    good: 'Una buena respuesta',
    bad: 'No es una buena respuesta',
  },
  fr: {
    human: 'Parler à une personne',
    helped: 'Cela m’a aidé',
    orPerson: 'Si ce n’est pas cela, demandez à parler à une personne.',
    orWords: 'Cela vous a aidé ? Écrivez « Cela m’a aidé ». Sinon, demandez à parler à une personne.',
    thanks: 'Merci !',
    good: 'Une bonne réponse',
    bad: 'Pas une bonne réponse',
  },
};

/** The labels of the button that asks for a person, in all languages. */
export const humanOffers: readonly string[] = Object.values(texts).map(({ human }) => human);

/** The labels of the button that says that an answer helped, in all languages. */
export const helpedOffers: readonly string[] = Object.values(texts).map(({ helped }) => helped);

const helpedWords = new Set(helpedOffers.map(foldWords));

/** Whether a message is the label of the button below an unsure answer, written by hand. */
export function isHelpedOffer(text: string): boolean {
  return text.length <= 60 && helpedWords.has(foldWords(text));
}

/** Phones write other quotation marks and apostrophes, and capitals of their own. */
function foldWords(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.join(' ');
}

/** Returns the texts around a reply in a language (ISO 639-1); in English if there is no translation. */
export function offerTexts(language: string | null | undefined): OfferTexts {
  return texts[language ?? ''] ?? english;
}

/** Adds a line to an answer that says it is unsure: how to reach a person where no buttons are shown. Pure. */
export function withPersonLine(reply: Reply, line: 'orPerson' | 'orWords' = 'orPerson'): Reply {
  if (!reply.offers.includes('helped')) return reply;
  const added = offerTexts(reply.language)[line];
  const { lead } = reply;
  return {
    ...reply,
    text: `${reply.text}\n\n${added}`,
    ...(lead !== undefined && { lead: `${lead}\n\n${added}` }),
  };
}
