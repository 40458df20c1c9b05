import { countingIn } from '../../counting.ts';
import type { tickets as english } from '../../english/knowledge/tickets.ts';

const { plural, number } = countingIn('de');

const percent = (share: number) => `${number(Math.round(share * 100))} %`;

/** Tickets of another help desk, answered on trial. */
export const tickets: typeof english = {
  percent,
  count: number,
  upload: 'Export hochladen',
  uploadHint:
    'Ein Postfach (mbox) oder ein JSON-Export von Zendesk, Intercom oder Chatwoot, höchstens 100 MB. Das Format wird selbst erkannt.',
  uploading: (share) => `Wird hochgeladen, ${percent(share)}`,
  tooLarge: 'Die Datei ist größer als 100 MB. Exportieren Sie einen kürzeren Zeitraum.',
  quoted: 'Dokumente zitieren, ohne Modell',
  nothingSent: 'Nichts davon wird gesendet',
  notLoaded: 'Die Importe konnten nicht geladen werden',
  empty: {
    title: 'Was hätte Parley im letzten Jahr geantwortet?',
    text: 'Laden Sie die Tickets Ihres Helpdesks hoch. Jede erste Frage wird mit den heutigen Dokumenten beantwortet und mit dem verglichen, was Ihr Team schrieb. Nichts wird gesendet oder gezählt, und die Texte werden ohne Namen, Adressen und Nummern von Personen gespeichert.',
  },
  imports: 'Importe',
  formats: {
    mbox: 'Postfach',
    zendesk: 'Zendesk-Export',
    intercom: 'Intercom-Export',
    chatwoot: 'Chatwoot-Export',
  },
  unknownFormat: 'Export',
  states: {
    uploading: 'Wird hochgeladen',
    reading: 'Wird gelesen',
    answering: 'Wird beantwortet',
    finished: 'Fertig',
    cancelled: 'Abgebrochen',
    failed: 'Fehlgeschlagen',
  },
  reading: (tickets) =>
    `Die Datei wird gelesen, bisher ${plural(tickets, { one: '# Ticket', other: '# Tickets' })}`,
  answering: (done, all) => `Wird beantwortet, ${number(done)} von ${number(all)}`,
  failures: {
    unknown_format:
      'Dieser Export kann nicht gelesen werden. Nehmen Sie ein Postfach (mbox) oder JSON von Zendesk, Intercom oder Chatwoot.',
    no_tickets: 'Die Datei enthält kein Ticket mit einer Frage eines Kunden und einer Antwort des Teams.',
  },
  cancel: 'Import abbrechen',
  delete: 'Import löschen',
  deleteTitle: 'Diesen Import löschen?',
  deleteText: 'Seine Tickets, Antworten und Urteile werden sofort gelöscht.',
  deleteNow: 'Löschen',
  keep: 'Behalten',
  head: (questions) =>
    `Was die heutigen Dokumente aus ${plural(questions, { one: '# ersten Frage', other: '# ersten Fragen' })} gemacht hätten`,
  facts: (format, file) => `${format}, ${file}, Namen und Nummern verdeckt`,
  wouldAnswer: 'wären beantwortet worden',
  wouldHandOver: 'wären an eine Person gegangen',
  verdicts: {
    agrees: 'Beantwortet, stimmt überein',
    differs: 'Beantwortet, weicht ab',
    maybe: 'Unsicher, Abschnitt gezeigt',
    none: 'Kein Dokument',
    no_question: 'Keine Frage',
    error: 'Fehlgeschlagen',
  },
  verdictHints: {
    agrees: 'mit dem, was das Team schrieb',
    differs: 'von dem, was das Team schrieb',
    maybe: '„das könnte es sein“',
    none: 'nichts nah genug',
    no_question: 'Geplauder',
    error: 'ohne Erfolg versucht',
  },
  verdict: 'Urteil',
  byRule: 'Ob eine Antwort übereinstimmt, beurteilt eine Regel, und Regeln irren.',
  judgeToCorrect: (size, least) =>
    `Beurteilen Sie mindestens ${number(Math.min(size, least))} aus einer zufälligen Stichprobe von ${number(size)}, und der Bericht nennt die richtige Zahl.`,
  byHand: (byRule, judged, low, high) =>
    `Nach der Regel stimmen ${byRule} überein. Von Hand ${plural(judged, { one: 'wurde # beurteilt', other: 'wurden # beurteilt' })}: ${low} bis ${high} der Fragen wären richtig beantwortet worden.`,
  byHandWrong: (right, judged) =>
    judged === 0 ? '' : `Von ${number(judged)} abweichenden waren ${number(right)} trotzdem richtig.`,
  ofAnswered: (low, high) => `Das sind ${low} bis ${high} der beantworteten.`,
  judge: (left) => `${number(left)} beurteilen`,
  judgeTitle: 'Ist die Antwort richtig?',
  judged: (done, size) => `${number(done)} von ${number(size)} beurteilt`,
  allJudged: 'Die ganze Stichprobe ist beurteilt.',
  endJudging: 'Beurteilen beenden',
  judgements: {
    right: 'Richtig',
    agent_wrong: 'Richtig, das Team irrte',
    wrong: 'Falsch',
    unclear: 'Nicht zu sagen',
  },
  undone: (judgement) => `Beurteilt: ${judgement}`,
  asked: 'Der Kunde fragte',
  agentWrote: 'Das Team schrieb',
  wouldSay: 'Parley hätte gesagt',
  rested: (title) => `Aus ${title}`,
  nothingSaid: 'Nichts: eine Person hätte geantwortet.',
  askNow: 'Jetzt fragen',
  noMatch: 'Kein Ticket hat dieses Urteil.',
  more: 'Weitere Tickets',
  leftOut: (count) =>
    plural(count, { one: '# Eintrag wurde ausgelassen', other: '# Einträge wurden ausgelassen' }),
  reasons: {
    unreadable: 'nicht, was das Format sagt',
    too_large: 'zu groß',
    automatic: 'von einer Maschine begonnen',
    outbound: 'vom Team begonnen',
    no_question: 'ohne Text eines Kunden',
    no_reply: 'ohne Antwort des Teams',
    duplicate: 'doppelt',
    too_many: 'über 10.000 Tickets hinaus',
  },
  examples: 'Die ersten davon',
  record: (record, reason) => `Eintrag ${number(record)}: ${reason}`,
};
