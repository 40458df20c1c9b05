import { courtesies } from '../courtesies.ts';
import { plainSpeech } from '../plain-speech.ts';

const refusals = [
  'no|nope|nah|never ?mind|forget it|not (?:now|today|interested|necessary|needed)|no need|skip|cancel|stop|leave it',
  "(?:i'd|i would) (?:rather|prefer) not(?: to)?|(?:i )?(?:don't|do not) (?:want|wish|like)(?: to| that)?|(?:i )?prefer not(?: to)?|(?:i )?(?:won't|will not|can't|cannot)",
  'nein|lieber nicht|ne|schon gut|vergiss es|vergessen sie (?:es|das)|kein interesse|nicht notig|abbrechen|(?:das )?(?:mochte|will) ich (?:lieber )?nicht|ich (?:mochte|will) (?:das |ihnen das )?(?:lieber )?nicht|keine',
  'mejor no|dejal[oa]|dejelo|olvidal[oa]|olvidelo|no importa|no quiero|no hace falta|prefiero no|no me interesa|ahora no',
  "non|laissez? tomber|tant pis|pas maintenant|(?:je )?prefere (?:pas|ne pas)|je ne (?:veux|souhaite|prefere) pas|pas besoin|(?:ca )?ne m'interesse pas",
  'lascia stare|non importa|non voglio|preferisco di no|nao|deixa(?: pra la)?|nao quero|prefiro nao|nee|laat maar|liever niet|hoeft niet',
].join('|');
/** What may be said of the data that is not given. */
const matter =
  '(?: (?:to|give|share|tell|leave|say|provide|do|you|that|this|it|my|any|the|e ?mail|mail|address|phone|number|name|data|details|contact|angeben|sagen|geben|nennen|meinen?|namen|nummer|daten|dar|darlo|decir|decirlo|compartir|mis?|datos|nombre|correo|donner|dire|mon|mes|nom|adresse|donnees|le|mailaddress))*';
const polite = Object.values(courtesies)
  .flatMap(({ openers, closers }) => [...openers, ...closers])
  .join('|');
const REFUSAL = new RegExp(
  `^(?:(?:${polite}|,) ){0,6}(?:${refusals})${matter}(?: (?:${polite}|,|${refusals})${matter}){0,6}$`,
  'u',
);
const POLITE = new RegExp(`^(?:${polite})(?: (?:${polite}|,)){0,6}$`, 'u');

/** Whether the visitor says no, and nothing else: `no, how much is it?` is a question. */
export function declines(words: string): boolean {
  if (/[?¿]/u.test(words)) return false;
  const sentences = plainSpeech(words);
  return (
    sentences.some((sentence) => REFUSAL.test(sentence)) &&
    sentences.every((sentence) => REFUSAL.test(sentence) || POLITE.test(sentence))
  );
}
