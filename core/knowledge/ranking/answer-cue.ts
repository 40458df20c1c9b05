import { searchRules } from '../rules.ts';

interface Cue {
  readonly asks: RegExp;
  readonly answers: RegExp;
}

const MONTH =
  'jan(?:uar|uary|vier)?|feb(?:ruar|ruary)?|märz|march|mars|marzo|apr(?:il)?|mai|may|mayo|june?|juni|junio|juin|july|juli|julio|juillet|aug(?:ust)?|agosto|août|sept?(?:ember|embre|iembre)?|okto(?:ber)?|oct(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre|iembre)?|diciembre|décembre';
const CUES: readonly Cue[] = [
  {
    asks: /(?<!\b(?:by|on the|over the|per|via) )\b(?:phone|telephone|telefon(?:nummer)?|teléfono|téléphone|(?:which|what) number|(?:call|ring) you)\b/iu,
    answers: /\+?\d[\d ]{6,}\d/u,
  },
  {
    asks: /\b(?:what time|how late|how early|um wie viel uhr|à quelle heure|a qué hora)\b/iu,
    answers:
      /\b\d{1,2}(?:[.:]\d{2})? ?[ap]\.?m\b|\b\d{1,2}[.:]\d{2}\b|\b(?:noon|midnight)\b|\d ?(?:uhr|h)\b/iu,
  },
  {
    asks: /\b(?:how long|how soon|lead time|wie lange|combien de temps|cuánto (?:tiempo|tarda|dura))\b/iu,
    answers:
      /\b(?<!\b(?:a|per) )(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|noon|midnight|sekunden?|minuten?|stunden?|tagen?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|horas?|días?|semanas?|mes(?:es)?|años?)\b/iu,
  },
  {
    asks: /\b(?:how much (?:is|are)|costs?|prices?|charge|fee|expensive|was kostet|wie teuer|preis|combien coûte|cuánto cuesta|precio|prix)\b/iu,
    answers: /\p{Sc} ?\d|\d ?\p{Sc}|\b(?:free|no fee|kostenlos|gratis|gratuite?)\b/iu,
  },
  {
    asks: /^\W*(?:how (?:do|can|to|should|would|could) |where (?:do|can) i (?:cancel|change|find|set|turn|add)|wie (?:kann|mache|funktioniert)|comment |cómo )/iu,
    answers:
      /^\s*(?:\d{1,3}[.)] )?(?:"?(?:open|choose|press|go to|click|select|enter|sign in|log in|type|write|hold|run|add|fill|use|ring|send|copy|unplug|pull|print|check|install|create|set|call|order|put|tick|under|visit|try|pack|bring|wait|keep|look)\b)/iu,
  },
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

/** The kind of thing that a question asks for: a date, an amount, a name. */
export interface AnswerCue {
  /** Whether the question tells the kind. */
  readonly isTold: boolean;
  /** How well a sentence contains a thing of the kind, 0 to 1. */
  readonly score: (sentence: string) => number;
}

/** Reads from a question what kind of thing it asks for. */
export function readAnswerCue(question: string): AnswerCue {
  const cue = CUES.find(({ asks }) => asks.test(question));
  if (cue !== undefined) return { isTold: true, score: (sentence) => (cue.answers.test(sentence) ? 1 : 0) };
  const lowerCaseQuestion = question.toLowerCase();
  const isNew = (name: string) => !lowerCaseQuestion.includes(name.toLowerCase());
  if (WHO.test(question))
    return { isTold: true, score: (sentence) => ((sentence.match(NAME) ?? []).some(isNew) ? 1 : 0) };
  if (!WHERE.test(question)) return { isTold: false, score: () => searchRules.noCue };
  const score = (sentence: string) =>
    Array.from(sentence.matchAll(PLACE), (match) => match[1] ?? '').some(isNew) ? 1 : searchRules.noPlace;
  return { isTold: true, score };
}
