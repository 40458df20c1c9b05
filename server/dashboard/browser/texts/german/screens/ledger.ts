import { countingIn } from '../../counting.ts';
import type { ledger as english } from '../../english/screens/ledger.ts';

const { plural, number } = countingIn('de');

const span = (minutes: number): string => {
  if (minutes < 60) return plural(minutes, { one: '# Minute', other: '# Minuten' });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return plural(hours, { one: '# Stunde', other: '# Stunden' });
  return plural(Math.floor(hours / 24), { one: '# Tag', other: '# Tage' });
};

export const ledger: typeof english = {
  title: 'Was von einer Seite behalten wurde',
  open: (title: string) => `Ansehen, was von ${title} behalten wurde`,
  openDocument: 'Dokument öffnen',
  readAgain: 'Diese Seite neu lesen',
  reading: 'Die Seite wird neu gelesen.',
  refused: {
    unknown_item: 'Die Seite gehört nicht mehr zu dieser Quelle.',
    excluded: 'Ein Muster der Quelle schließt die Seite aus.',
    deleted_by_hand: 'Jemand hat ihr Dokument gelöscht, deshalb wird die Seite nicht gelesen.',
    too_many_items: 'Die Quelle hat so viele Seiten, wie ihre Grenze erlaubt.',
  },
  openPage: 'Seite in neuem Tab öffnen',
  columns: { seen: 'Wie Besucher sie sehen', kept: 'Wie behalten', answers: 'Antworten daraus' },
  keptNote: (passages: number, cut: number) =>
    `${plural(passages, { one: '# Abschnitt', other: '# Abschnitte' })}, ${plural(cut, { one: '# Teil weggelassen', other: '# Teile weggelassen' })}`,
  answersNote: (count: number) => `${number(count)} in 30 Tagen`,
  coverage: (answered: number, listed: number) =>
    `${number(answered)} von ${plural(listed, { one: '# Seite antwortet', other: '# Seiten antworten' })}`,
  behindSite: (minutes: number) =>
    minutes === 0
      ? 'Antworten sind auf dem Stand der Website'
      : `Antworten sind ${span(minutes)} hinter der Website`,
  behindSource: (minutes: number) =>
    minutes === 0
      ? 'Antworten sind auf dem Stand der Quelle'
      : `Antworten sind ${span(minutes)} hinter der Quelle`,
  dates: { fetched: 'Geladen', checked: 'Geprüft', cut: 'Zugeschnitten', indexed: 'In Antworten seit' },
  answered: {
    newest: 'Antworten nutzen diesen Text.',
    earlier: 'Antworten nutzen noch den Text davor.',
    not: 'Noch keine Antwort nutzt sie.',
  },
  cuttingSoon: 'Der Text wird neu zugeschnitten, ohne die Seite zu laden.',
  reasons: {
    menu: 'Menü',
    header: 'Kopf der Website',
    footer: 'Fuß der Website',
    aside: 'Seitenspalte',
    form: 'Formular',
    dialog: 'Dialog',
    hidden: 'auf der Seite versteckt',
    control: 'Knopf oder Link innerhalb der Seite',
    consent: 'Cookie-Hinweis',
    site_part: 'heißt wie ein Teil der Website',
    edit_link: 'Link zum Bearbeiten der Seite',
    outside: 'außerhalb des Inhalts',
    template: 'auf den meisten Seiten',
    rule: 'durch eine Regel weggelassen',
  },
  onPages: (having: number, looked: number) => `auf ${number(having)} von ${number(looked)} Seiten`,
  parts: (count: number, reason: string) =>
    `${reason}, ${plural(count, { one: '# Teil', other: '# Teile' })}`,
  actions: { keep: 'Zurückholen', cut: 'Weglassen' },
  did: { keep: 'Zurückgeholt', cut: 'Weggelassen' },
  where: { this: 'Auf dieser Seite', all: 'Auf allen Seiten dieser Quelle' },
  scopes: { this: 'Regel für diese Seite', all: 'Regel für alle Seiten' },
  rule: (did: string, by: string, scope: string) => `${did} von ${by}, ${scope}`,
  removeRule: 'Regel entfernen',
  decideFor: (action: string, text: string) => `${action}: ${text}`,
  notStored: 'Nicht als Seite gespeichert',
  notStoredText:
    'Parley speichert Webseiten, wie sie geladen wurden. Dateien, Artikel von Werkzeugen und sehr große Seiten werden ganz gelesen.',
  noAnswers: 'Noch keine Antworten',
  noAnswersText: 'In den letzten 30 Tagen hat keine Antwort diese Seite genutzt.',
  noDocument: 'Sie ist kein Dokument, also nutzt keine Antwort sie.',
  answersNotYours: 'Ihre Rolle darf die Fragen der Besucher nicht sehen.',
  noQuestion: 'Frage nicht gespeichert',
  confidence: { high: 'Hoch', medium: 'Mittel' },
  disliked: 'Daumen runter',
  conversation: 'Gespräch',
  openConversation: (question: string) => `Gespräch zu ${question} öffnen`,
  rules: {
    title: 'Regeln für Teile von Seiten',
    text: 'Teile, die jemand zurückgeholt oder weggelassen hat. Eine Regel zu entfernen schneidet die Seiten neu zu, ohne sie zu laden.',
    none: 'Keine Regeln. Öffnen Sie eine Seite unter „Seiten und Dateien“, um einen Teil zurückzuholen oder wegzulassen.',
  },
};
