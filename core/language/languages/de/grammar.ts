import type { Grammar } from '../../grammar.ts';
import { wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `wer wen wem wessen was wann wo woher wohin wie warum wieso weshalb welche welcher welches
    welchen welchem viel viele lange kann kannst können konnte muss müssen ist sind war waren wird werden
    wurde wurden hat haben hatte gibt es ich du ihr wir sie er man mein meine meinen ihr ihre der die das
    den dem des ein eine einen einem einer und oder in im an am auf für von vom zu zum zur mit bei aus nach
    als bitte`,
  followUp: {
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
  },
  comparison: { lead: 'unterschiede? zwischen|vergleiche', between: 'und|mit' },
  articles: 'der die das den dem des ein eine einen einem einer mein meine',
  abbreviations: {
    inner:
      'hr fr frau ing dipl ca circa bzw z.b d.h u.a o.ä ggf evtl vgl bspw inkl exkl nr abs art aufl bd str tel',
    final: 'usw uvm e.v',
  },
  sentenceStarts: 'der die das ein eine er sie es wir im in bei wenn',
  ordinalNouns:
    'januar februar märz april mai juni juli august september oktober november dezember jahrhundert jahrhunderts quartal klasse',
  numbers: {
    one: 'ein eine einen einem einer eines',
    fromTwo: `zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn
    sechzehn siebzehn achtzehn neunzehn zwanzig`,
    tens: 'dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert',
  },
  units: {
    second: 'sekunde sekunden',
    minute: 'minute minuten min',
    hour: 'stunde stunden std h',
    day: 'tag tage tagen kalendertage kalendertagen',
    workday: 'werktag werktage werktagen arbeitstag arbeitstage arbeitstagen',
    week: 'woche wochen',
    month: 'monat monate monaten monats',
    year: 'jahr jahre jahren',
    percent: 'prozent',
    currencies: { EUR: 'euro euros', USD: 'dollar', GBP: 'pfund', CHF: 'franken' },
    clock: 'uhr',
    free: 'kostenlos kostenfrei gratis umsonst',
  },
  negation: {
    words: `nicht kein keine keinen keinem keiner keines nie niemals ohne weder noch nichts niemand unmoglich
    ausgeschlossen ausgenommen ausser verboten untersagt abgelehnt nirgends statt`,
    affirming:
      'nicht (?:nur|bloss|langer|mehr als|spater|ausgeschlossen)|keine (?:zusatzlichen )?(?:kosten|gebuhren?)|ohne (?:zusatzliche )?(?:kosten|gebuhren?|aufpreis)|kein problem|noch (?:heute|am|bis|einmal)',
    and: 'und|oder',
    joins: 'aber|jedoch|wahrend|sondern|wenn|falls|weil|sofern',
  },
  openers: [
    'gerne',
    'natürlich',
    'selbstverständlich',
    'klar',
    'gute frage',
    'hallo',
    'vielen dank für ihre frage',
  ],
  claims: {
    firstPerson: 'ich',
    claims:
      '(?:ich\\s+habe|habe\\s+ich)\\s[^.!?;]{0,300}(?:ausgeführt|ausgelöst|aufgerufen|gelöscht|entfernt|storniert|erstattet|geändert|aktualisiert|gesendet|geschickt|gebucht|bestellt|angelegt|erstellt|überwiesen|weitergeleitet|aktiviert|freigeschaltet|zurückgesetzt|bestätigt|genehmigt|veranlasst)',
  },
  secrets: { names: 'passwort|kennwort|api[ _-]?schlüssel', is: 'ist|lautet', was: 'war' },
  missingPage: 'nicht gefunden|existiert nicht',
};
