interface Cue {
  readonly asks: RegExp;
  readonly answers: RegExp;
}

const MONTH =
  'jan(?:uar|uary|vier)?|feb(?:ruar|ruary)?|märz|march|mars|marzo|apr(?:il)?|mai|may|mayo|june?|juni|junio|juin|july|juli|julio|juillet|aug(?:ust)?|agosto|août|sept?(?:ember|embre|iembre)?|okto(?:ber)?|oct(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre|iembre)?|diciembre|décembre';
const CUES: readonly Cue[] = [
  {
    asks: /\b(?:percent|percentage|prozent|porcentaje|pourcentage)\b/iu,
    answers: /%|\b(?:percent|prozent|por ciento|pour cent|half|third|quarter)\b/iu,
  },
  {
    asks: /\b(?:when|wann|quando|what (?:year|date|day)|which (?:year|date|day)|welchem jahr|wanneer)\b|(?:^|\P{L})(?:cuándo|qué año|quand|kiedy|när|когда)(?!\p{L})|何时|什么时候|哪一?年|いつ/iu,
    answers: new RegExp(
      `\\b(?:1\\d{3}|20\\d{2}|\\d{1,2}(?:st|nd|rd|th)|century|jahrhundert|siglo|siècle|${MONTH}|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\\b|\\d[年月日]`,
      'iu',
    ),
  },
  {
    asks: /\bhow (?:many|much|long|old|far|large|big|tall|often|high|deep|fast|soon)\b|\bwie ?(?:viele?|lange|hoch|groß|alt|oft|weit)\b|\b(?:combien|quanto|quanta|quanti|quante|hoeveel|ile|hur (?:många|mycket|länge))\b|(?:^|\P{L})(?:cuánt[oa]s?|quant[oa]s|сколько)(?!\p{L})|多少|几|多久|多长|いくら|いくつ/iu,
    answers:
      /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|million|billion|half|dozen|free|zwei|drei|vier|fünf|sechs|kostenlos|dos|tres|cuatro|cinco|gratis|deux|trois|quatre|cinq|gratuite?)\b|[一二两三四五六七八九十百千万]/iu,
  },
];
const WHO = /\bwho(?:se|m)?\b|^\s*we(?:r|m|n|ssen)\b|(?:^|\P{L})quién(?:es)?(?!\p{L})|\bqui\b|^\s*chi\b/iu;
const WHERE =
  /\bwhere\b|\b(?:what|which) (?:country|countries|city|cities|state|region|place|location|town|area)\b|^\s*wo(?:hin|her)?\b|(?:^|\P{L})(?:dónde|où)(?!\p{L})|^\s*(?:dove|onde|waar)\b/iu;
const NAME = /(?=\p{Lu})(?<=\S\s+["'“(]?)\p{Lu}\p{L}+/gu;
const PLACE =
  /\b(?:in|at|to|from|near|into|of|on|outside|throughout|across|nach|aus|bei|en|à|au|a)\s+(?:the\s+)?(\p{Lu}\p{L}+)/gu;
const NOTHING_ASKED = 0.5;
const NO_PLACE = 0.3;

/** How well a sentence has the kind of thing that the question asks for (a date, an amount, a name), 0 to 1. */
export function answerCue(question: string): (sentence: string) => number {
  const cue = CUES.find(({ asks }) => asks.test(question));
  if (cue !== undefined) return (sentence) => (cue.answers.test(sentence) ? 1 : 0);
  const asked = question.toLowerCase();
  const isNew = (name: string) => !asked.includes(name.toLowerCase());
  if (WHO.test(question)) return (sentence) => ((sentence.match(NAME) ?? []).some(isNew) ? 1 : 0);
  if (!WHERE.test(question)) return () => NOTHING_ASKED;
  return (sentence) =>
    Array.from(sentence.matchAll(PLACE), (match) => match[1] ?? '').some(isNew) ? 1 : NO_PLACE;
}
