import { fold } from '../../../language/words.ts';
import { findEmails, findPhones } from './read-contacts.ts';

/** Not counting particles such as `de la`. */
const MAX_WORDS = 4;
const MAX_CHARACTERS = 80;
const WORD = /^\p{L}[\p{L}\p{M}'’.-]*$/u;
const PARTICLE = /^(?:von|vom|van|de[nr]?|del|da|di|do|dos|du|la|le|el|al|bin|ibn|ter|ten)$/iu;
const TITLE = /^(?:\p{L}|dr|prof|mrs?|ms|st)\.$/iu;
const COURTESY =
  /^(?:(?:hi|hello|hey|hallo|hola|bonjour|sure|yes|ok(?:ay)?|ja|s[ií]|oui|it's|c'est|das ist|the name is)(?![\p{L}'])[\s,.!]*)+/iu;

interface NameOptions {
  /** True if the visitor was asked for the name, so that the answer may be just the name. */
  readonly wasAsked: boolean;
}

/** Returns the visitor's own name as written in a message, or null. */
export function findName(words: string, { wasAsked }: NameOptions): string | null {
  const text = words.replace(/[‘’ʼ]/gu, "'");
  return (
    afterCue(text, nameCues.sure, () => true) ??
    afterCue(text, nameCues.likely, isCapitalised) ??
    afterCue(text, nameCues.unsure, (name) => isCapitalised(name) && (wasAsked || name.length > 1)) ??
    besideContact(text, wasAsked) ??
    (wasAsked ? bareAnswer(text) : null)
  );
}

function afterCue(text: string, cue: RegExp, accept: (name: readonly string[]) => boolean): string | null {
  for (const match of text.matchAll(cue)) {
    const name = leadingName(text.slice(match.index + match[0].length));
    if (name.length > 0 && accept(name)) return name.join(' ');
  }
  return null;
}

/** Returns the words of a name at the start of a text, up to punctuation or a word that is not part of a name. */
function leadingName(text: string): readonly string[] {
  const name: string[] = [];
  const isCapital = startsWithCapital(text);
  for (const token of text.slice(0, 2 * MAX_CHARACTERS).split(/\s+/u)) {
    const word = TITLE.test(token) ? token : token.replace(/(?:[.,;:!?)("…]|'(?!\p{L})).*/su, '');
    if (!isNameWord(word) || (isCapital && !startsWithCapital(word) && !PARTICLE.test(word))) break;
    name.push(word);
    if (word !== token || name.filter((part) => !PARTICLE.test(part)).length === MAX_WORDS) break;
  }
  while (PARTICLE.test(name.at(-1) ?? '')) name.pop();
  return name;
}

/** Finds a name at the start, before contact details: `Ann Smith, ann@example.com`. */
function besideContact(text: string, wasAsked: boolean): string | null {
  const contacts = [...findEmails(text), ...findPhones(text, wasAsked)].map(({ at }) => at);
  if (contacts.length === 0) return null;
  const before = text.slice(0, Math.min(...contacts)).replace(COURTESY, '');
  if (!/$(?<=[,;:/|\n–-][^\S\n]*(?:[("<][^\S\n]*)?)/u.test(before) && !wasAsked) return null;
  const name = wholeName(before);
  return name !== null && (wasAsked || isCapitalised(name.split(' '))) ? name : null;
}

function bareAnswer(text: string): string | null {
  if (/[?¿]/u.test(text)) return null;
  const contacts = [...findEmails(text), ...findPhones(text, true)];
  const rest = contacts.reduce((remaining, { text: found }) => remaining.replace(found, ' '), text);
  return wholeName(rest.replace(COURTESY, ''));
}

/** Returns the text if it is a name and nothing else, otherwise null. */
function wholeName(text: string): string | null {
  const words = text
    .replace(/^[\s,;:()"<>|/–-]+|(?<![\s,;:()"<>|/!–-])[\s,;:()"<>|/!–-]+$/gu, '')
    .replace(/(?<=\p{L}{2})\.$/u, '')
    .split(/\s+/u);
  const isName =
    words.filter((word) => !PARTICLE.test(word)).length <= MAX_WORDS &&
    words.every(isNameWord) &&
    words.some((word) => /\p{L}{2}|\p{Lo}/u.test(word) && !PARTICLE.test(word));
  return isName && words.join(' ').length <= MAX_CHARACTERS ? words.join(' ') : null;
}

function isNameWord(word: string): boolean {
  return WORD.test(word) && (PARTICLE.test(word) || !notNames.has(fold(word).replace(/\.$/u, '')));
}

/** Returns whether all words except particles start with a capital. */
function isCapitalised(name: readonly string[]): boolean {
  return name.every((word) => startsWithCapital(word) || PARTICLE.test(word)) && name.some(startsWithCapital);
}

function startsWithCapital(text: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(text);
}

/** Phrases before a name with which people introduce themselves. */
const nameCues = {
  /** A name follows in any spelling. */
  sure: /(?<!\p{L})(?:my (?:full )?name(?:'s| is)|name ?:|mein name (?:ist|lautet)|ich hei(?:ß|ss)e|me llamo|mi nombre(?: completo)? es|nombre ?:|je m'appelle|mon nom est|nom ?:|mi chiamo|il mio nome [eè]|(?:eu )?me chamo|chamo-me|(?:o )?meu nome [eé]|nome ?:|mijn naam is|ik heet|naam ?:)\s*/giu,
  /** Anything may follow: only capitalised words are a name. */
  likely: /(?<!\p{L})(?:i am|i'm|this is|hier (?:ist|spricht)|aqu[ií] es|soy|je suis|sono|sou|ik ben)\s+/giu,
  /** As `likely`, in a language that capitalises every noun: a single word is not enough. */
  unsure: /(?<!\p{L})ich bin\s+(?:(?:der|die)\s+)?/giu,
} as const;

/** Words in answers to "what is your name?" that are no name; folded. */
const notNames: ReadonlySet<string> = new Set(
  [
    // Answers instead of a name.
    `yes no yeah yep nope ok okay sure thanks thank hi hello hey please sorry maybe fine good great cool nothing none
     anonymous never stop cancel skip later now not wrong incorrect misspelled interested looking happy unhappy sad
     angry confused stuck lost waiting trying having using calling writing asking new sick back here there ready able`,
    `i you he she it we they me my your our his her this that these those a an the and or but if of on in at to for from
     by with without about as is are was were be been am do does did have has had can could would should might
     must want need like get got give tell know see call contact email mail phone number name address what when where
     who why how which`,
    `help support human person agent price prices pricing cost plan plans quote offer demo refund refunds policy invoice
     invoices order orders password login reset account billing shipping delivery cancel subscription trial export
     import api integration question problem issue error bug opening hours free customer user users team company test
     urgent english german french spanish dutch italian american british`,
    `ja nein doch gut danke bitte hallo guten tag moin vielleicht egal nichts niemand ich du er sie es wir ihr mein
     meine dein der die das den dem ein eine einen und oder aber wenn von im am zu zur zum fur mit ohne uber als ist
     sind war bin habe hat kann konnte wurde muss mochte brauche was wann wo wer warum wie welche nicht kein keine
     hilfe mensch mitarbeiter preis preise kosten angebot rechnung bestellung passwort konto lieferung versand
     kundigung frage problem fehler offnungszeiten kunde student entwickler interessiert falsch neu hier da`,
    `si gracias hola vale claro bien nada nadie yo tu el ella ello nosotros mi su la los las un una unos y o pero para
     por con sin sobre como que cuando donde quien cual es son soy estoy tengo quiero puedo necesito ayuda precio
     precios factura pedido contrasena cuenta envio reembolso pregunta problema cliente interesado aqui no`,
    `oui non merci bonjour salut d'accord bien rien personne je tu il elle nous vous mon ma mes votre le les une des et
     ou mais pour avec sans sur dans est sont suis ai peux veux voudrais besoin aide prix facture commande mot passe
     compte livraison remboursement question probleme client interesse ici comment quand qui pourquoi pas`,
    'grazie ciao sono io prezzo aiuto sim nao obrigado obrigada ola preco ajuda nee bedankt ik prijs hulp klant',
  ]
    .join(' ')
    .split(/\s+/u),
);
