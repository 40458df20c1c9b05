import type { ContactWords, RequestForms } from '../../requests.ts';

const softly =
  '(?: (?:bitte|gerne?|mal|doch|auch|einfach|jetzt|heute|morgen|kurz|zeitnah|dringend|noch|schnellstmoglich|moglichst bald))*';
const someone =
  '(?:sie|ihr|du|jemand(?: (?:von ihnen|aus dem (?:vertrieb|team|support)|vom (?:vertrieb|support|team)))?|ihr vertrieb|der vertrieb|ein (?:mitarbeiter|kollege|berater)|einer ihrer (?:mitarbeiter|kollegen))';
const contactDetails =
  '(?:(?: (?:unter|per|auf|an|uber|telefonisch|am|um|ab|nach|zwischen|wegen|bezuglich|zu[mr]?))(?: [\\p{L}\\p{N}+]+){0,10}?)?';
const callInfinitive =
  '(?:anrufen|zuruckrufen|kontaktieren|erreichen|schreiben|mailen|melden|zuruckmelden|kontakt(?: mit mir)? aufnehmen|in verbindung setzen)';
const offer =
  '(?:(?:ein(?:e[nmr]?)?|euer|ihr|das|die) )?(?:(?:unverbindliche[sn]?|kostenlose[sn]?|individuelle[sn]?|personliche[sn]?|schriftliche[sn]?|kurze[sn]?) )*(?:angebot|kostenvoranschlag|demo|produktdemo|vorfuhrung|ruckruf|beratungsgesprach|beratung|offerte|preisangebot)';
const wish = '(?:ich|wir) (?:mochten?|hatten?|will|wollen|brauchen?|wurden?|wunschen?|bitten? um|benotigen?)';

/** German requests to be called, written to or sent an offer. */
export const contactRequests: RequestForms = {
  requests: [
    `(?:rufen sie|ruft|ruf)${softly} (?:mich|uns)${softly}${contactDetails}(?: (?:an|zuruck))?`,
    `(?:kontaktieren sie|kontaktiert|kontaktiere|erreichen sie) (?:mich|uns)`,
    `(?:melden sie sich|melde dich|meldet euch)${softly}(?: bei (?:mir|uns))?`,
    `(?:schreiben sie|schreib|schreibt|mailen sie)${softly} (?:mir|uns)(?= *$| (?:,|bitte|an|unter|auf|eine)(?: |$))`,
    `(?:nehmen sie|nehmt|nimm)${softly}(?: mit (?:mir|uns))?${softly} kontakt(?: mit (?:mir|uns))? auf`,
    `(?:setzen sie sich|setz dich)${softly} mit (?:mir|uns)${softly} in verbindung`,
    `(?:kann|konnen|konnte|konnten|konnt|kannst|wurde|wurden) ${someone}${softly} (?:sich )?(?:mich|mir|uns|mit mir|mit uns|bei mir|bei uns|sich bei mir)${softly}${contactDetails} ${callInfinitive}`,
    `(?:kann|konnte|konnten|konnen)${softly} (?:mich|mir|uns|sich)${softly} ${someone}${softly}(?: mit mir| bei mir)?${contactDetails} ${callInfinitive}`,
    `${wish}${softly} (?:zuruckgerufen|angerufen|kontaktiert) werden`,
    `${wish}${softly} ${offer}`,
    `(?:konn(?:en|ten) sie|kannst du|konntest du|wurden sie)${softly} (?:mir|uns)${softly} ${offer}(?: [\\p{L}\\p{N}]+){0,8}? (?:machen|schicken|senden|erstellen|zusenden|zukommen lassen|geben|unterbreiten)`,
    `(?:schicken|senden|machen|erstellen) sie${softly} (?:mir|uns)${softly} ${offer}`,
    `(?:kann|konnen|konnte|konnten) (?:ich|wir)${softly} ${offer}(?: [\\p{L}\\p{N}]+){0,8}? (?:bekommen|haben|erhalten|buchen|vereinbaren|anfordern)`,
    `ich bitte(?: sie)? um ${offer}`,
  ],
  tails: [
    'fur|uber|unter|per|von|mit|auf|an|am|um|ab|zu[mr]?|wegen|bezuglich|zuruck|morgen|heute|nachste|sobald|wenn (?:moglich|es)|und|da|weil|bekommen|haben|erhalten|vereinbaren|buchen|anfordern|mailaddress|\\+?\\p{N}+|meine|ich|bei|nach|zwischen',
  ],
  bare: [
    `${offer} bitte`,
    '(?:bitte )?(?:um )?ruckruf(?: bitte)?',
    '(?:demo|beratung|ruckruf|angebot) (?:vereinbaren|anfordern|buchen)',
  ],
};
export const contactWords: ContactWords = {
  technical: 'funktion|schnittstelle',
  questions: 'wie|was|wann|wo|wer|warum|welche\\p{L}*',
  refusals:
    'nein|lieber nicht|ne|schon gut|vergiss es|vergessen sie (?:es|das)|kein interesse|nicht notig|abbrechen|(?:das )?(?:mochte|will) ich (?:lieber )?nicht|ich (?:mochte|will) (?:das |ihnen das )?(?:lieber )?nicht|keine',
  refusedDetails: 'angeben|sagen|geben|nennen|meinen?|namen|nummer|daten',
  greetings: 'hallo|ja|das ist',
  nameCues: {
    sure: 'mein name (?:ist|lautet)|ich hei(?:ß|ss)e',
    likely: 'hier (?:ist|spricht)',
    unsure: 'ich bin\\s+(?:(?:der|die)\\s+)?',
  },
  nameParticles: 'von|vom',
  notNames: `ja nein doch gut danke bitte hallo guten tag moin vielleicht egal nichts niemand ich du er sie es wir
    ihr mein meine dein der die das den dem ein eine einen und oder aber wenn von im am zu zur zum fur mit
    ohne uber als ist sind war bin habe hat kann konnte wurde muss mochte brauche was wann wo wer warum wie
    welche nicht kein keine hilfe mensch mitarbeiter preis preise kosten angebot rechnung bestellung
    passwort konto lieferung versand kundigung frage problem fehler offnungszeiten kunde student entwickler
    interessiert falsch neu hier da`,
  own: 'mein\\p{L}{0,3}|mich|mir|uns\\p{L}{0,4}',
  otherOwners: 'einlad|hinzu|kolleg|nutzer|kunde',
  phone: '\\b(?:mobil|handy)\\b|telefon|anruf|\\bruf|erreich',
  numberOwner: 'meine',
  numberNoun: 'nummer',
  otherNumbers: '\\bplz\\b|\\bust|bestell|rechnung|kunden|auftrag|konto|sendung',
};
