import { courtesies } from '../courtesies.ts';
import { createRequestMatcher, normaliseSpeech } from '../request-matcher.ts';
import { english, french, german, spanish } from './contact-requests.ts';
import { type LeadState, parseLead } from './read-lead.ts';

const isRequest = createRequestMatcher([english, german, spanish, french]);
/** Words of developers, whose sentences only look like such a request. */
const TECHNICAL =
  /(?<!\p{L})(?:api|webhooks?|endpoints?|functions?|urls?|sdk|code|curl|json|widgets?|parameters?|funktion|schnittstelle|parametros?|fonction)(?!\p{L})/u;

/** Returns whether visitors ask to be called, written to or sent an offer themselves. */
export function isContactRequest(words: string): boolean {
  return normaliseSpeech(words).some((sentence) => isRequest(sentence) && !TECHNICAL.test(sentence));
}

const QUESTION =
  /[?¿]|^\s*(?:how|what|when|where|who|why|which|do|does|did|is|are|wie|was|wann|wo|wer|warum|welche\p{L}*|c[oó]mo|qu[eé]|cu[aá]ndo|d[oó]nde|qui[eé]n|comment|quand|o[uù]|pourquoi|quels?|quelles?)(?!\p{L})/iu;

/** An upper-case letter, or any letter of a script without case. */
const STARTS_LIKE_NAME = /^[\p{Lu}\p{Lt}\p{Lo}]/u;

/** Returns whether a message answers or refuses the skill's question; a new question does neither. */
export function isLeadReply(words: string, state: LeadState): boolean {
  if (isRefusal(words)) return true;
  const { name, email, phone } = parseLead(words, state);
  // A question with contact details is an answer too, unless it may be a question about them.
  if (email !== null || phone !== null)
    return !QUESTION.test(words) || startsWithContact(words, email ?? phone ?? '');
  if (name === null || !state.asked.includes('name') || QUESTION.test(words)) return false;
  // If contact details were asked for too, a bare lower-case text (`shipping costs`) is a new topic, not a name.
  return !state.asked.includes('contact') || words.trim() !== name || STARTS_LIKE_NAME.test(name);
}

function startsWithContact(words: string, contact: string): boolean {
  const before = words.slice(0, words.indexOf(contact));
  return !QUESTION.test(before);
}

const refusals = [
  'no|nope|nah|never ?mind|forget it|not (?:now|today|interested|necessary|needed)|no need|skip|cancel|stop|leave it',
  "(?:i'd|i would) (?:rather|prefer) not(?: to)?|(?:i )?(?:don't|do not) (?:want|wish|like)(?: to| that)?|(?:i )?prefer not(?: to)?|(?:i )?(?:won't|will not|can't|cannot)",
  'nein|lieber nicht|ne|schon gut|vergiss es|vergessen sie (?:es|das)|kein interesse|nicht notig|abbrechen|(?:das )?(?:mochte|will) ich (?:lieber )?nicht|ich (?:mochte|will) (?:das |ihnen das )?(?:lieber )?nicht|keine',
  'mejor no|dejal[oa]|dejelo|olvidal[oa]|olvidelo|no importa|no quiero|no hace falta|prefiero no|no me interesa|ahora no',
  "non|laissez? tomber|tant pis|pas maintenant|(?:je )?prefere (?:pas|ne pas)|je ne (?:veux|souhaite|prefere) pas|pas besoin|(?:ca )?ne m'interesse pas",
  'lascia stare|non importa|non voglio|preferisco di no|nao|deixa(?: pra la)?|nao quero|prefiro nao|nee|laat maar|liever niet|hoeft niet',
].join('|');
/** Words for the details that the visitor refuses to give. */
const refusedDetails =
  '(?: (?:to|give|share|tell|leave|say|provide|do|you|that|this|it|my|any|the|e ?mail|mail|address|phone|number|name|data|details|contact|angeben|sagen|geben|nennen|meinen?|namen|nummer|daten|dar|darlo|decir|decirlo|compartir|mis?|datos|nombre|correo|donner|dire|mon|mes|nom|adresse|donnees|le|mailaddress))*';
const polite = Object.values(courtesies)
  .flatMap(({ openers, closers }) => [...openers, ...closers])
  .join('|');
const REFUSAL = new RegExp(
  `^(?:(?:${polite}|,) ){0,6}(?:${refusals})${refusedDetails}(?: (?:${polite}|,|${refusals})${refusedDetails}){0,6}$`,
  'u',
);
const POLITE = new RegExp(`^(?:${polite})(?: (?:${polite}|,)){0,6}$`, 'u');

/** Returns whether a message is a refusal and nothing else: `no, how much is it?` is a question. */
export function isRefusal(words: string): boolean {
  if (/[?¿]/u.test(words)) return false;
  const sentences = normaliseSpeech(words);
  return (
    sentences.some((sentence) => REFUSAL.test(sentence)) &&
    sentences.every((sentence) => REFUSAL.test(sentence) || POLITE.test(sentence))
  );
}
