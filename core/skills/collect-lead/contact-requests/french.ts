import { courtesies } from '../../courtesies.ts';
import type { RequestGrammar } from '../../request-grammar.ts';

const softly = "(?: (?:s'il vous plait|svp|stp|aussi|demain|aujourd'hui|bien|donc))*";
const call = '(?:rappeler|appeler|contacter|recontacter|ecrire|telephoner|joindre)';
const offer =
  "(?:(?:une?|votre|le|la|d'un|d'une) ?)?(?:devis|offre|demo|demonstration|proposition(?: commerciale)?|rappel|rendez vous(?: telephonique)?)(?: (?:gratuite?|personnalisee?|commerciale?|telephonique))*";
const wish =
  "(?:je (?:voudrais|veux|souhaite|souhaiterais|desire|demande)|j'aimerais|j'ai besoin|nous (?:voudrions|souhaitons|souhaiterions|aimerions)|il me faut)";

/** How one asks in French to be called, written to or sent an offer. */
export const french: RequestGrammar = {
  ...courtesies.fr,
  requests: [
    '(?:rappelez|appelez|contactez|recontactez|rappelle|appelle|contacte|ecrivez|telephonez|joignez) (?:moi|nous)',
    `(?:pouvez vous|pourriez vous|vous pouvez|peux tu|pourrais tu|tu peux|merci de|veuillez)${softly} (?:me |nous |m')${call}`,
    `(?:est ce que )?(?:quelqu'un|un commercial|un conseiller|une personne) (?:peut|pourrait|peut il|pourrait il)${softly} (?:me |nous |m')${call}`,
    `(?:est ce que vous pouvez|est ce qu'on peut|on peut)${softly} (?:me |nous |m')${call}`,
    `${wish}${softly} (?:etre )(?:rappelee?s?|appelee?s?|contactee?s?|recontactee?s?)`,
    `${wish}${softly} (?:qu'on me|que vous me|que quelqu'un me) (?:rappeliez|rappelle|contacte|contactiez|appelle|appeliez)`,
    `${wish}${softly} ?(?:(?:recevoir|obtenir|avoir|demander|reserver|planifier|prendre) )?${offer}`,
    `(?:pouvez vous|pourriez vous|vous pouvez|pourrais tu)${softly} (?:me |nous |m')(?:envoyer|faire|preparer|etablir|faire parvenir) ${offer}`,
    `(?:puis je|pouvons nous|est ce que je peux|je peux|serait il possible d'|est il possible d')${softly} ?(?:avoir|obtenir|recevoir|demander|reserver) ${offer}`,
    `(?:envoyez|faites|preparez) (?:moi|nous) ${offer}`,
  ],
  tails: [
    'pour|au|aux|a|de|du|sur|par|avec|demain|des que|quand vous|et|concernant|mon|je|mailaddress|\\+?\\p{N}+|si possible|apres|cet|cette',
  ],
  bare: [
    `${offer} (?:svp|stp|s'il vous plait)`,
    '(?:demander|reserver) (?:un |une )?(?:demo|devis|demonstration|rappel)',
  ],
};
