/** The signs by which a question in one language refers to earlier messages. */
export interface FollowUpSigns {
  /** Openings that continue the previous question (`and`, `what about`), at the start. */
  readonly openings: RegExp;
  /** Words that refer to something named earlier. */
  readonly pronouns: RegExp;
  /** Uses of those words that refer to nothing: `is it possible to pay later?`. */
  readonly empty: RegExp;
  /** Openings of an independent question. */
  readonly questions: RegExp;
  /** Questions addressed to the assistant itself. */
  readonly smallTalk: RegExp;
  /** The first word of a bare phrase such as `for students?`, and of the phrase that it replaces. */
  readonly prepositions: ReadonlySet<string>;
  /** Words that state what is asked about a topic but do not name one. */
  readonly general: ReadonlySet<string>;
}

const NEVER = /(?!)/u;

const ENGLISH: FollowUpSigns = {
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
};

const GERMAN: FollowUpSigns = {
  openings:
    /^(?:und|auch|aber|oder|also|dann|ok(?:ay)?|was ist mit|wie ist es (?:mit|bei)|wie sieht es (?:mit|bei))(?!\p{L})/iu,
  pronouns:
    /(?<!\p{L})(?:dafür|damit|daran|darauf|darin|dazu|davon|dabei|dagegen|daraus|dort|dorthin|denen|deren|dessen|ihn|ihm|diese[rsnm]?|jene[rsnm]?|beide[sn]?|er|es)(?!\p{L})|(?<!\p{L})das(?=\s*(?:$|[?.,!]|\p{Ll}))/u,
  empty: /(?:gibt|geht|klappt|kann|ist) es|es (?:gibt|geht|möglich)|diese[rsnm]? (?:Woche|Monat|Jahr)/giu,
  questions:
    /^(?:w(?:ie|as|ann|o|er|en|em|arum|elche[rsnm]?|ieso|ohin|oher)|kann|können|ist|sind|muss|darf|gibt|hat|haben|wird|werden|soll)(?!\p{L})/iu,
  smallTalk: /(?<!\p{L})(?:du|bist)(?!\p{L})/iu,
  prepositions: wordSet('für in im nach aus mit ohne bei beim am ab vor zum zur per pro wenn'),
  general:
    wordSet(`dauert dauern kostet kosten geht gehen funktioniert heißt braucht brauche bekomme mache machen extra
    mehr weitere weiterer weiteres zusätzlich zusätzliche andere anderer gleiche auch noch dann möglich lange viel viele
    preis gilt ok`),
};

const SPANISH: FollowUpSigns = {
  openings: /^[¿¡\s]*(?:y|e|pero|o|también|entonces|ok|qué (?:hay|pasa|tal) (?:de|con|si))(?!\p{L})/iu,
  pronouns:
    /(?<!\p{L})(?:eso|esto|ese|esa|esos|esas|este|esta|estos|estas|ello|ellos|ellas|él|ella|allí|allá|ahí|ambos|ambas)(?!\p{L})/iu,
  empty: /(?:este|esta|estos|estas) (?:semana|mes|año)/giu,
  questions:
    /^[¿\s]*(?:cómo|qué|cuándo|dónde|quién|por qué|cuál|cuáles|cuánt[oa]s?|puedo|pueden|es|son|hay|tengo|debo)(?!\p{L})/iu,
  smallTalk: /(?<!\p{L})(?:tú|eres|estás)(?!\p{L})/iu,
  prepositions: wordSet('para en a al de desde con sin por si antes después'),
  general:
    wordSet(`cuesta cuestan costar tarda tardan dura funciona significa necesito hacer hago más extra otro otra
    otros otras mismo misma también adicional precio vale posible`),
};

const FRENCH: FollowUpSigns = {
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
};

const ITALIAN: FollowUpSigns = {
  openings: /^(?:e|ed|ma|o|anche|allora)(?!\p{L})/iu,
  pronouns: /(?<!\p{L})(?:questo|questa|quello|quella|ciò|lì|essi|entrambi)(?!\p{L})/iu,
  empty: NEVER,
  questions: /^(?:come|che|cosa|quando|dove|chi|perché|qual[ei]?|quant[oaie]|posso|è|sono|c['’]è)(?!\p{L})/iu,
  smallTalk: /(?<!\p{L})(?:tu|sei|stai)(?!\p{L})/iu,
  prepositions: wordSet('per in a al da con senza se'),
  general: wordSet(
    'costa costano dura funziona serve più extra altro altra altri anche prezzo possibile tempo',
  ),
};

const PORTUGUESE: FollowUpSigns = {
  openings: /^(?:e|mas|ou|também|então)(?!\p{L})/iu,
  pronouns: /(?<!\p{L})(?:isso|isto|esse|essa|aquilo|ele|ela|eles|elas|lá|ambos)(?!\p{L})/iu,
  empty: NEVER,
  questions: /^(?:como|que|quando|onde|quem|por que|qual|quais|quant[oa]s?|posso|é|são|há)(?!\p{L})/iu,
  smallTalk: /(?<!\p{L})(?:você|tu|és)(?!\p{L})/iu,
  prepositions: wordSet('para em no na com sem se por'),
  general: wordSet(
    'custa custam demora dura funciona mais extra outro outra outros também preço possível tempo',
  ),
};

const DUTCH: FollowUpSigns = {
  openings: /^(?:en|maar|of|ook|dan|hoe zit het met)(?!\p{L})/iu,
  pronouns:
    /(?<!\p{L})(?:dat|dit|deze|daarvoor|daarmee|daar|ervan|ermee|hij|hem|zij|hen)(?=\s*(?:$|[?.,!]|\p{Ll}))/iu,
  empty: NEVER,
  questions: /^(?:hoe|wat|wanneer|waar|wie|waarom|welke?|hoeveel|kan|kun|is|zijn|moet|heeft)(?!\p{L})/iu,
  smallTalk: /(?<!\p{L})(?:je|jij|ben)(?!\p{L})/iu,
  prepositions: wordSet('voor in naar met zonder bij als'),
  general: wordSet('kost kosten duurt werkt betekent nodig meer extra andere ook prijs mogelijk lang veel'),
};

const SIGNS: Readonly<Record<string, FollowUpSigns>> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
};

/** Returns the signs of a language by its ISO 639-1 code; null if the language is not supported. */
export function followUpSigns(languageCode: string): FollowUpSigns | null {
  return SIGNS[languageCode] ?? null;
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u));
}
