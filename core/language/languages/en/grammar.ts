import type { Grammar } from '../../grammar.ts';
import { wordSet } from '../../patterns.ts';

export const grammar = {
  stopWords: `a about above after again against all am an and any are aren as at be because been before
    being below between both but by can cannot could couldn d did didn do does doesn doing don down during
    each few for from further had hadn has hasn have haven having he her here hers herself him himself his
    how i if in into is isn it its itself just ll m me more most my myself no nor not now of off on once
    only or other our ours ourselves out over own re s same shall she should shouldn so some such t than
    that the their theirs them themselves then there these they this those through to too under until up
    upon ve very was wasn we were weren what when where which while who whom whose why will with won would
    wouldn you your yours yourself yourselves`,
  formWords: `able actually advice allow allowed answer anybody anyone anything ask assist assistance
    available best cause clarify come consist correct describe detail details difference different difficult
    easily easy elaborate exactly example exist explain explanation far fast find get getting give go going
    good got happen happening happens hard have hello help hey hope information involve involved kind kinds
    know learn let like little long look looking lot make making many matter mean means meant much need
    needed needs often ok okay old one option options people person please possible provide question quickly
    quite receive regarding right say see show somebody someone something soon sort start sure take taken
    takes taking tell thank thanks thing things think time trouble try trying type types understand use used
    useful using want wants way ways well wish wonder wondering work works`,
  followUp: {
    openings:
      /^(?:(?:and|also|but|or|then|so|ok(?:ay)?)\b,?\s*)*(?:and|also|but|or|then|so|ok(?:ay)?|what about|how about|what if|same for)\b/iu,
    pronouns:
      /\b(?:it|its|they|them|their|these|those|one|ones|there|he|she|him|her|his|both|neither)\b|\b(?:this|that)\b(?=\s*(?:$|[?.,!]|(?:is|was|be|takes?|costs?|works?|means?|includes?|included|appl(?:y|ies)|also|still|happens?|possible|for|in|with|to|too|again|allowed|free|done|available|necessary|one)\b))/iu,
    empty:
      /\bthere (?:a|an|any|some|be|is|are|no|other)\b|\b(?:is|are|was|were|will) there\b|\bit\b(?=[^?]{0,200}\bto\s{1,8}\p{Ll})|\bit (?:true|possible|ok|okay|allowed)\b|\b(?:no|every|any|each) one\b|\bone (?:of|month|year|day|week|time|user|person)\b/giu,
    questions:
      /^(?:how|what|when|where|who|why|which|can|could|do|does|did|is|are|was|should|may|will|would|must|has|have)\b/iu,
    smallTalk: /\byou\b/iu,
    prepositions: wordSet('for in to from with without on at after before during by per if'),
    general:
      wordSet(`take takes cost costs long much many work works mean means need get do does done happen happens extra
    more else another different also too about possible change want use using way kind far often soon price pay free
    include included including apply available ok okay`),
  },
  comparison: { lead: 'differences? between|compare', between: 'and|with|to' },
  articles: 'a an the my your our',
  personPronouns: 'he|she|him|her|his',
  emptyWords: 'please thanks thank hello hi hey also much many long take takes cost costs work works know ok',
  degrees: 'how (?:long|much|many|often|far|old|tall|big|large|high|deep|wide|fast|soon|quickly|late|early)',
  abbreviations: {
    inner:
      'mr mrs ms dr prof st sr gen col capt lt sgt rev hon gov sen rep vs e.g i.e eg ie cf viz al approx no nos vol fig figs eq sec ch p pp ed eds para u.s u.k u.n d.c',
    final:
      'etc inc ltd corp co llc bros jr a.m p.m b.c a.d ph.d u.s.a e.u jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k u.n d.c',
  },
  sentenceStarts:
    'the a an it its this that these those he she they we you i in on at for if when after before but and or as by from there here all our your his her their with while since although however please',
  numbers: {
    one: 'one',
    fromTwo: `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty`,
    tens: 'thirty forty fifty sixty seventy eighty ninety hundred',
  },
  units: {
    second: 'second seconds sec secs',
    minute: 'minute minutes min mins',
    hour: 'hour hours hr hrs h',
    day: 'day days',
    workday: 'workday workdays weekday weekdays',
    week: 'week weeks',
    month: 'month months',
    year: 'year years yr yrs',
    percent: 'percent',
    currencies: { EUR: 'euro euros', USD: 'dollar dollars', GBP: 'pound pounds', CHF: 'franc francs' },
    clock: "o'clock oclock",
    free: 'free',
  },
  negation: {
    words: `not no never cannot without neither nor none nothing nobody non unable unavailable impossible excluded
    excludes exclude excluding except prohibited forbidden declined refused denied stops instead`,
    affirming:
      'no (?:extra |additional )?(?:cost|charge|fee)s?|no (?:later|longer|more|less|fewer) than|not (?:only|just|later|more|less|fewer)|without (?:extra |additional )?(?:cost|charge)s?|no (?:matter|problem)|not (?:excluded|impossible)',
    and: 'and|or',
    joins: 'but|while|whereas|however|unless|if|when|although|because',
  },
  openers: [
    'sure',
    'sure thing',
    'certainly',
    'of course',
    'absolutely',
    'definitely',
    'happy to help',
    'glad to help',
    'great question',
    'good question',
    'thank you for your question',
    'thanks for your question',
    'hello',
    'hi',
    "i'd be happy to help",
    "i'd be happy to help you with that",
    "i'd be happy to help with that",
    'hi there',
    'sure, happy to help',
    'sure, i can help with that',
    'i can help with that',
    'thanks for asking',
  ],
  claims: {
    firstPerson: 'i',
    claims:
      "i(?:['’]ve|\\s+have|\\s+just|\\s+already|\\s+now)*\\s+(?:ran|run|executed|called|triggered|deleted|removed|cancel+ed|refunded|changed|updated|sent|booked|ordered|created|transferred|forwarded|escalated|activated|deactivated|unlocked|reset|granted|issued|processed|submitted|approved|paid)",
  },
  secrets: {
    names: 'password|passwd|passphrase|passcode|pwd|(?:api|access|auth|secret|private)[ _-]?(?:key|token)',
    wholeNames: 'secret|token|pin|puk|cvv|cvc',
    is: 'is',
    was: 'was',
  },
  missingPage: 'not found|no longer (?:exists|available)|does not exist',
} satisfies Grammar;
