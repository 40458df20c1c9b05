import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList("bonjour bonsoir salut ok bon non oui merci svp stp pardon alors desole d'accord", [
    "s'il (?:vous|te) plait",
    '(?:excusez|excuse) moi',
    "(?:ca|cela) ne m'aide pas",
  ]),
  links: wordList('et mais donc car ou sinon alors'),
  closers: wordList("svp stp merci maintenant vite urgent immediatement ici aujourd'hui plutot", [
    "s'il (?:vous|te) plait",
    'tout de suite',
    'des que possible',
  ]),
};

const noun =
  '(?:humain|etre humain|personne|conseill(?:er|ere)|agent|operat(?:eur|rice)|charge de clientele|employe|collaborat(?:eur|rice)|technicien|representant|interlocuteur|responsable|commercial|superviseur|membre (?:de (?:votre|l)|du) ?\\p{L}*)';
const before = '(?:(?:vrai|vraie|veritable|autre) )?';
const after =
  "(?: (?:reelle?|humaine?|physique|vivante?|en chair et en os|en direct|clientele|client|(?:de|dans) (?:votre|l') ?\\p{L}+|du (?:support|service(?: client)?)))*";
const one = `(?:(?:une?|le|la|votre|l'|un de vos|une de vos) ?)${before}${noun}s?${after}`;
const someone = `(?:quelqu'un|qqn)${after}(?: de (?:reel|vrai|humain|chez vous|competent))?`;
const desk =
  "(?:(?:le|la|votre|vos|l'|un) ?)?(?:service clients?|service client|support(?: (?:client|technique))?|assistance|equipe(?: (?:support|technique|commerciale))?|sav)";
const person = `(?:${one}|${someone})`;
const anybody = `(?:${one}|${someone}|${desk})`;

const softly =
  "(?: (?:s'il vous plait|svp|stp|s'il te plait|maintenant|directement|juste|plutot|simplement|vraiment|aussi))*";
const talk =
  "(?:parler|discuter|echanger|dialoguer|communiquer|m'entretenir|etre mise? en (?:relation|contact|communication)|entrer en (?:contact|relation)|etre (?:transferee?|redirigee?|dirigee?))";
const to = '(?:a|avec|au|aux|vers)';
const wish =
  "(?:je (?:voudrais|veux|souhaite|souhaiterais|desire|prefere|prefererais|dois|demande a)|j'aimerais|j'ai besoin de|j'exige de|nous (?:voudrions|souhaitons|voulons)|on (?:voudrait|veut)|laissez moi|laisse moi)";
const may =
  "(?:(?:est ce que )?(?:je peux|je pourrais|on peut|nous pouvons)|(?:comment )?(?:puis je|peut on|pouvons nous|pourrais je)|comment (?:je peux|faire pour|je fais pour)|(?:serait il|est il|c'est|est ce|il est) possible (?:de|d')|y a t il moyen (?:de|d')|(?:possible|moyen) (?:de|d'))";

/** How a person is asked for in French. */
export const personRequests: RequestForms = {
  requests: [
    `(?:${wish}|${may})${softly} ?${talk}${softly} (?:${to} )?(?:${anybody})`,
    `(?:${wish}|${may})${softly} ?(?:avoir|joindre|contacter) ${person}`,
    `(?:je (?:veux|voudrais|souhaite|demande|exige|prefere)|j'aimerais|j'ai besoin d'|il me faut|donnez moi|donne moi|passez moi|passe moi|trouvez moi)${softly} ?${person}(?= *$| (?:,|svp|stp|s'il|maintenant|tout|qui|pour|et|pas|au|a)(?: |$))`,
    `(?:passez|passe|mettez|mets|transferez|transfere|connectez|connecte|redirigez|dirigez) moi (?:en (?:relation|contact|communication) )?${softly} ?(?:${to} )?${anybody}`,
    `(?:pouvez vous|pourriez vous|peux tu|pourrais tu|vous pouvez|tu peux)${softly} me (?:passer|mettre en (?:relation|contact|communication)|transferer|connecter|rediriger|diriger)${softly} (?:${to} )?${anybody}`,
    `(?:est ce qu'?)?(?:une vraie personne|un humain|un conseiller|un agent|quelqu'un de (?:votre|l') ?equipe) (?:peut|pourrait)(?: il| elle)? (?:m'aider|me repondre|me parler|prendre le relais)`,
    `(?:y a t il|il y a|est ce qu'il y a) ${person} (?:ici|disponible|a qui (?:je (?:peux|puisse|pourrais)) parler|avec qui (?:je (?:peux|puisse|pourrais)) parler)`,
  ],
  tails: [
    "au|aux|de|du|des|concernant|pour|sur|a propos|qui|parce|car|par (?:telephone)|et|ou|mais|en (?:francais|anglais|direct|personne)|pas|a cause|chez|a|d'urgence",
  ],
  bare: [
    `${talk} (?:${to} )${anybody}`,
    `(?:une? )?${before}(?:humain|etre humain|conseill(?:er|ere)|operat(?:eur|rice)|agent)${after}`,
    `(?:une )(?:vraie )?personne${after}|vraie personne|quelqu'un de (?:reel|vrai)|(?:service client|support) (?:svp|stp|s'il vous plait)`,
  ],
};
