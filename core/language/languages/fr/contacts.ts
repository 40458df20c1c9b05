import type { ContactWords, RequestForms } from '../../requests.ts';

const softly = "(?: (?:s'il vous plait|svp|stp|aussi|demain|aujourd'hui|bien|donc))*";
const call = '(?:rappeler|appeler|contacter|recontacter|ecrire|telephoner|joindre)';
const offer =
  "(?:(?:une?|votre|le|la|d'un|d'une) ?)?(?:devis|offre|demo|demonstration|proposition(?: commerciale)?|rappel|rendez vous(?: telephonique)?)(?: (?:gratuite?|personnalisee?|commerciale?|telephonique))*";
const wish =
  "(?:je (?:voudrais|veux|souhaite|souhaiterais|desire|demande)|j'aimerais|j'ai besoin|nous (?:voudrions|souhaitons|souhaiterions|aimerions)|il me faut)";

/** French requests to be called, written to or sent an offer. */
export const contactRequests: RequestForms = {
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
export const contactWords: ContactWords = {
  technical: 'fonction',
  questions: 'comment|quand|o[uù]|pourquoi|quels?|quelles?',
  refusals:
    "non|laissez? tomber|tant pis|pas maintenant|(?:je )?prefere (?:pas|ne pas)|je ne (?:veux|souhaite|prefere) pas|pas besoin|(?:ca )?ne m'interesse pas",
  refusedDetails: 'donner|dire|mon|mes|nom|adresse|donnees|le',
  greetings: "bonjour|oui|c'est",
  nameCues: { sure: "je m'appelle|mon nom est|nom ?:", likely: 'je suis' },
  nameParticles: 'du|le',
  notNames: `oui non merci bonjour salut d'accord bien rien personne je tu il elle nous vous mon ma mes votre le les
    une des et ou mais pour avec sans sur dans est sont suis ai peux veux voudrais besoin aide prix facture
    commande mot passe compte livraison remboursement question probleme client interesse ici comment quand
    qui pourquoi pas`,
  own: 'mon|ma|moi|nous|notre',
  otherOwners: 'ajout|supprim|utilisat',
  phone: 'rappel|appel|portable|joindre|joignable',
  numberOwner: 'mon',
  numberNoun: 'numero',
  otherNumbers: 'commande|facture|client|compte|colis',
};
