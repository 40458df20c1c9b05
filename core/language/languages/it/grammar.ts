import type { Grammar } from '../../grammar.ts';
import { NEVER, wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `chi che cosa quando dove come perché quale quali quanto quanta quanti quante è sono era
    erano può posso si mio mia il lo la i gli le un una uno di del della dei a al in nel per con e o da cui`,
  followUp: {
    openings: /^(?:e|ed|ma|o|anche|allora)(?!\p{L})/iu,
    pronouns: /(?<!\p{L})(?:questo|questa|quello|quella|ciò|lì|essi|entrambi)(?!\p{L})/iu,
    empty: NEVER,
    questions:
      /^(?:come|che|cosa|quando|dove|chi|perché|qual[ei]?|quant[oaie]|posso|è|sono|c['’]è)(?!\p{L})/iu,
    smallTalk: /(?<!\p{L})(?:tu|sei|stai)(?!\p{L})/iu,
    prepositions: wordSet('per in a al da con senza se'),
    general: wordSet(
      'costa costano dura funziona serve più extra altro altra altri anche prezzo possibile tempo',
    ),
  },
  comparison: { lead: 'differenz[ae] tra', between: 'e' },
  articles: 'il lo gli i',
  negation: {
    words:
      'non mai senza ne nessun nessuno nessuna niente nulla impossibile escluso esclusa esclusi escluse tranne vietato vietata',
    affirming: 'non (?:solo|oltre|piu di)|senza (?:costi|spese|supplement[oi])(?: aggiuntiv[ie])?',
    and: 'e|ed|o|oppure',
    joins: 'ma|mentre|se|quando|perche',
  },
  openers: ['certo', 'certamente', 'volentieri', 'ciao', 'ottima domanda', 'buona domanda'],
  secrets: { wholeNames: 'parola' },
  missingPage: 'non trovat',
};
