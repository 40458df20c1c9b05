import type { Grammar } from '../../grammar.ts';
import { NEVER, wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `qui que quoi quand où comment pourquoi quel quelle quels quelles combien est sont était
    étaient peut peux puis-je faut il elle on je vous nous mon ma mes votre vos le la les l un une des de du
    d à au aux en dans pour par avec et ou ce cet cette se qu est-ce y`,
  followUp: {
    openings: /^(?:et|mais|ou|alors|aussi|ok|qu['’]en est-il)(?!\p{L})/iu,
    pronouns:
      /(?<!\p{L})(?:ça|cela|ceci|celui|celle|ceux|celles|ils|elles|elle|là-bas|leur|leurs|lui)(?!\p{L})|(?<!\p{L})c['’]est(?=\s*(?:$|[?.!]|\p{L}+\s*\?))/iu,
    empty: NEVER,
    questions:
      /^(?:comment|que|quand|où|qui|pourquoi|quel(?:le)?s?|combien|puis|peut|est|sont|dois|y a)(?!\p{L})/iu,
    smallTalk: /(?<!\p{L})(?:tu|vas|es)(?!\p{L})/iu,
    prepositions: wordSet('pour en à au aux depuis avec sans par si avant après dans'),
    general:
      wordSet(`coûte coûtent coûter dure prend fonctionne signifie faut faire besoin plus extra autre autres même
    aussi supplémentaire prix possible temps`),
  },
  comparison: { lead: 'différences? entre', between: 'et' },
  articles: 'le les l une mon ma mes',
  abbreviations: { inner: 'mme mlle av rte n°' },
  sentenceStarts: 'le les une il elle nous vous',
  numbers: {
    one: 'un une',
    fromTwo: `deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
    dixsept dixhuit dixneuf vingt`,
    tens: 'trente quarante cinquante soixante septante quatrevingt nonante cent',
  },
  units: {
    second: 'seconde secondes',
    minute: 'minute minutes min',
    hour: 'heure heures',
    day: 'jour jours',
    week: 'semaine semaines',
    month: 'mois',
    year: 'an ans annee annees',
    percent: 'pourcent',
    currencies: { EUR: 'euro euros', USD: 'dollar dollars', GBP: 'livre livres', CHF: 'franc francs' },
    clock: 'h heures',
    free: 'gratuit gratuite gratuits gratuites gratuitement',
  },
  negation: {
    words:
      'pas jamais aucun aucune sans ni rien personne non impossible exclu exclue exclus exclues sauf interdit interdite',
    affirming: 'pas (?:seulement|plus de|plus tard)|sans (?:frais|supplement)|aucuns? (?:frais|supplement)',
    and: 'et|ou',
    joins: 'mais|tandis que|alors que|si|quand|car',
  },
  openers: ['bien sûr', 'avec plaisir', 'bonne question', 'certainement', 'bonjour'],
  claims: {
    firstPerson: "j['’]\\p{L}*",
    claims:
      "j['’]ai\\s+(?:déjà\\s+|bien\\s+)?(?:exécuté|lancé|supprimé|effacé|annulé|remboursé|modifié|changé|envoyé|réservé|créé|transféré|activé|désactivé|réinitialisé|confirmé|traité|approuvé)e?s?",
  },
  secrets: { names: 'mot de passe|clé api', wholeNames: 'clé|mdp', is: 'est', was: 'était' },
  missingPage: 'introuvable',
};
