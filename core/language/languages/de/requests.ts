import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList(
    'hallo hi hey moin servus bitte ok okay also nein ja gut danke dann so sorry entschuldigung',
    ['guten (?:tag|morgen|abend)', 'gruss gott', 'das hilft (?:mir )?nicht(?: weiter)?'],
  ),
  links: wordList('und aber sondern also deshalb oder sonst'),
  closers: wordList('bitte jetzt sofort danke dringend endlich heute gerne gern mal hier lieber', [
    'vielen dank',
    'so bald wie moglich',
  ]),
};

const kind = '(?:echte|richtige|lebendige|lebende|menschliche|reale|kompetente|zustandige|andere)[nmrs]?';
const noun =
  '(?:mensch(?:en)?|person|(?:(?:support|kundendienst|service) ?)?mitarbeiter(?:in|n|s)?|(?:kunden)?berater(?:in|n)?|kolleg(?:e|en|in)|agent(?:en|in)?|ansprechpartner(?:in|n)?|sachbearbeiter(?:in|n)?|kundenbetreuer(?:in|n)?|vorgesetzten?|techniker(?:in)?|verantwortlichen)';
const from =
  '(?: (?:von ihnen|von euch|(?:vo[nm]|aus|im|in)(?: (?:dem|der|ihrem|eurem|ihrer))? (?:support|kundenservice|kundendienst|team|service|vertrieb|support team|mannschaft)))?';
const one = `(?:(?:ein(?:e[nmr]?)?|irgendein(?:e[nmr]?)?|de[nmr]|die|ihre[nmr]?|eure[nmr]?|nem|ner) )?(?:${kind} )*${noun}${from}`;
const someone = `(?:jemand(?:e[mn])?(?: (?:echte[mn]?|anderem|anderen|menschliche[mn]|richtige[mn]))?|wem)${from}`;
const desk =
  '(?:(?:de[mnr]|ihre[mnr]?|eure[mnr]?|vom) )?(?:kundendienst|kundenservice|kundensupport|support(?: ?team)?|service ?team|hotline|team|vertrieb)';
const anybody = `(?:${one}|${someone}|${desk})`;
const person = `(?:${one}|${someone})`;

const softly =
  '(?: (?:bitte|gerne?|jetzt|lieber|sofort|endlich|direkt|mal|einfach|auch|nur|wirklich|dringend|hier|personlich|doch|kurz|nicht (?:einfach|mal|direkt)))*';
const matter = '(?: (?:uber|wegen|bezuglich|zu[mr]?|betreffend)(?: [\\p{L}\\p{N}]+){1,8}?)?';
const talk = '(?:sprechen|reden|chatten|telefonieren|kommunizieren|schreiben|verbunden werden)';
const withOne = `${softly}${matter}${softly} mit ${anybody}${softly}${matter}${softly} ${talk}`;
const wish = `(?:ich|wir)(?: (?:mocht(?:e|en)?|mocht|will|wollen|wurden?|hatten?|muss|mussen|wunsche))`;
const may = '(?:kann|konnte|darf|durfte|konnen|konnten|warum kann|wie kann) (?:ich|man|wir)';
const you = '(?:konn(?:en|ten) sie|kann(?:st)? du|konntest du|konnt ihr|wurden sie|wurdest du)';

/** How a person is asked for in German. */
export const personRequests: RequestForms = {
  requests: [
    `${wish}${withOne}`,
    `(?:${may}|ist es moglich|gibt es (?:die|eine) moglichkeit|ware es moglich) ?,?${withOne.replace(' mit', '(?: mit| ,? ?mit)')}`,
    `(?:ist|ware) es moglich ,?${softly} mit ${anybody}${softly}${matter} zu (?:sprechen|reden|chatten)`,
    `${wish}${softly} (?:an|zu) ${anybody}${softly} (?:weitergeleitet|durchgestellt|ubergeben|weiterverbunden|verwiesen) werden`,
    `${you}${softly} (?:mich|uns|das|mir)${softly} (?:mit|an|zu) ${anybody}${softly} (?:verbinden|weiterleiten|weiterverbinden|durchstellen|ubergeben|geben)`,
    `(?:verbinden sie|verbinde|verbindet)(?: bitte)? (?:mich|uns)${softly} mit ${anybody}`,
    `(?:leiten sie|leite|stellen sie|stell|ubergeben sie|ubergib|geben sie|gib)(?: bitte)? (?:mich|uns|das)${softly} (?:an|zu) ${anybody}${softly}(?: weiter| durch)?`,
    `(?:geben sie|gib|holen sie|hol|schicken sie|schick)(?: bitte)? mir${softly} ${person}(?: (?:ran|her|ans telefon))?`,
    `(?:ich|wir) (?:brauche|brauchen|will|wollen|mochte|mochten|verlange|hatte gerne?|benotige)${softly} ${person}(?= *$| (?:,|bitte|jetzt|sofort|sprechen|haben|der|die|und|statt|keinen?|kein|dringend)(?: |$))`,
    `(?:kann|konnte)${softly} (?:mir )?(?:bitte )?(?:ein(?:e)? (?:${kind} )*(?:mensch|mitarbeiter(?:in)?|person|berater(?:in)?|kollege|kollegin))(?: mir)?${softly}${matter} (?:helfen|weiterhelfen|ubernehmen|antworten)`,
    `(?:gibt es|ist)(?: hier| da)? ${person}(?: hier| da)? ,? ?(?:mit de[mr] ich|den ich) (?:sprechen|reden|chatten|erreichen)(?: kann)?`,
    `(?:lassen sie|lass) mich${withOne}`,
  ],
  tails: ['weil|und|aber|oder|statt|denn|der|die|wegen|uber|zu[mr]?|kann|nicht|von|haben|sprechen'],
  bare: [
    `(?:ein(?:e[nm]?)? )?(?:${kind} )*(?:mensch(?:en)?|person|(?:(?:support|service) ?)?mitarbeiter(?:in)?|berater(?:in)?|kundenberater(?:in)?|agent(?:en)?|ansprechpartner(?:in)?)`,
    `(?:bitte )?mit ${anybody}(?: bitte)?(?: (?:sprechen|reden|chatten|verbinden|verbunden werden))?`,
    `${person} (?:sprechen|bitte)|(?:kundenservice|kundendienst|support) bitte`,
  ],
};
