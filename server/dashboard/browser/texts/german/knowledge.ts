import { countingIn } from '../counting.ts';
import type { Catalogue } from '../english.ts';

const { plural, number } = countingIn('de');

export const knowledge: Catalogue['knowledge'] = {
  documents: 'Dokumente',
  title: 'Titel',
  origin: 'Herkunft',
  status: 'Stand',
  passages: 'Abschnitte',
  size: 'Größe',
  audience: 'Zielgruppe',
  changed: 'Geändert',
  answers: 'Antw., 30 T.',
  answersHint: 'Antworten der letzten 30 Tage, die auf dem Dokument beruhen.',
  disliked: 'Daumen runter',
  dislikedHint: 'Von den bewerteten Antworten der letzten 30 Tage die mit Daumen runter.',
  count: (value) => number(value),
  ofRated: (disliked, rated) => `${number(disliked)} von ${number(rated)}`,
  share: (value) => `${number(Math.round(value * 100))} %`,
  everybody: 'Alle',
  origins: {
    file: 'Datei',
    text: 'Eingefügt',
    page: 'Adresse',
    demo: 'Beispiel',
    source: 'Quelle',
    curated: 'Gepflegte Antwort',
  },
  statuses: { queued: 'Wartet', indexing: 'Wird gelesen', indexed: 'Bereit', failed: 'Fehlgeschlagen' },
  indexing: (share) => `Wird gelesen, ${number(share)} %`,
  updating: (share) => `Wird erneuert, ${number(share)} %`,
  bytes: (value) =>
    value < 1_000_000
      ? `${number(Math.max(1, Math.round(value / 1_000)))} kB`
      : `${number(Math.round(value / 100_000) / 10)} MB`,
  summary: (ready, passages, size) =>
    `${number(ready)} bereit, ${plural(passages, { one: '# Abschnitt', other: '# Abschnitte' })}, ${size}`,
  notLoaded: 'Die Dokumente sind nicht angekommen',
  more: 'Mehr zeigen',
  search: 'Dokumente suchen',
  searchHint: 'Titel oder Adresse',
  all: 'Alle',
  clearFilter: (name) => `Filter ${name} aufheben`,
  noMatch: {
    title: 'Nichts gefunden',
    text: 'Kein Dokument passt zu diesen Filtern.',
    clear: 'Filter aufheben',
  },
  dropAnywhere:
    'Dateien irgendwo auf dieser Seite ablegen: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, E-Mail, HTML, Markdown, Text, CSV',
  dropNow: 'Dateien ablegen, um sie hinzuzufügen',
  waiting: (documents, minutes) => {
    const are = plural(documents, {
      one: '# Dokument wartet auf den Index',
      other: '# Dokumente warten auf den Index',
    });
    if (minutes < 1) return `${are}.`;
    const oldest = documents === 1 ? 'seit' : 'das älteste seit';
    return `${are}, ${oldest} ${
      minutes < 120
        ? plural(minutes, { one: '# Minute', other: '# Minuten' })
        : plural(Math.floor(minutes / 60), { one: '# Stunde', other: '# Stunden' })
    }.`;
  },
  readOnly:
    'Du kannst Dokumente lesen. Zum Hinzufügen oder Ändern wende dich an eine Person, der dieser Arbeitsbereich gehört.',
  add: { files: 'Dateien hinzufügen', text: 'Text einfügen', address: 'Adresse' },
  empty: {
    title: 'Leg dein erstes Dokument hier ab',
    text: 'Antworten kommen aus dem, was hier steht, und nirgendwo sonst her.',
    choose: 'Dateien wählen',
    formats:
      'PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, E-Mail, HTML, Markdown, Text, CSV, je bis 25 MB',
    noRight: 'Noch kein Dokument',
    noRightText:
      'Antworten kommen aus Dokumenten. Bitte eine Person, der dieser Arbeitsbereich gehört, um eines.',
    pasteText: 'Eine Preisliste, eine Regel, eine häufige Antwort',
    address: 'Adresse angeben',
    addressText: 'Eine Seite eurer Hilfe, sofort gelesen',
    demo: 'Beispiel nehmen',
    demoText: '18 Dokumente von Pottle & Sprig, um Antworten zu probieren',
  },
  upload: {
    title: (count) =>
      plural(count, { one: '# Datei wird hinzugefügt', other: '# Dateien werden hinzugefügt' }),
    sending: (share) => `Wird gesendet, ${number(share)} %`,
    waiting: 'Wartet',
    tooLarge: 'Die Datei ist größer als 25 MB. Teile sie in kleinere Dateien.',
    dismiss: (name) => `${name} ausblenden`,
    cancel: (name) => `${name} abbrechen`,
  },
  failed: {
    tryAgain: 'Nochmals versuchen',
    tryAll: (count) => `Alle ${number(count)} nochmals versuchen`,
    replace: 'Datei ersetzen',
    delete: (title) => `${title} löschen`,
    showAll: (count) =>
      plural(count, { one: '# fehlgeschlagenes zeigen', other: 'Alle # fehlgeschlagenen zeigen' }),
    stillAnswering: 'Antworten nutzen weiter den früheren Text.',
    unknown: 'Das Lesen ist fehlgeschlagen.',
  },
  bulk: {
    label: 'Ausgewählte Dokumente',
    selected: (count) => `${number(count)} ausgewählt`,
    pick: (title) => `${title} auswählen`,
    pickAll: 'Alle gezeigten auswählen',
    audience: 'Zielgruppe',
    reindex: 'Neu lesen',
    delete: 'Löschen',
    clear: 'Aufheben',
    noAudiences: 'Dieser Arbeitsbereich hat keine Zielgruppen. Sie entstehen in den Einstellungen.',
    deleted: (count) => plural(count, { one: '# Dokument gelöscht', other: '# Dokumente gelöscht' }),
    notDone: (count, why) =>
      `${plural(count, { one: '# Dokument blieb, wie es ist', other: '# Dokumente blieben, wie sie sind' })}: ${why}`,
  },
  paste: {
    title: 'Text einfügen',
    name: 'Titel',
    namePlaceholder: 'Versand vor Weihnachten',
    text: 'Text',
    textHint: 'Markdown wird verstanden: Überschriften, Listen und Tabellen.',
    audience: 'Wer ihn sehen darf',
    audienceHint: 'Leer: alle.',
    add: 'Text hinzufügen',
  },
  address: {
    title: 'Adresse hinzufügen',
    url: 'Adresse der Seite',
    hint: 'Eine Seite oder Datei wird jetzt gelesen. Seiten, auf die sie verweist, nicht.',
    add: 'Lesen und hinzufügen',
    reading: 'Wird gelesen',
  },
  page: {
    back: 'Dokumente',
    text: 'Gelesener Text',
    passages: 'Abschnitte der Suche',
    settings: 'Einstellungen',
    actions: 'Mehr',
    reindex: 'Neu lesen',
    replace: 'Datei ersetzen',
    edit: 'Text ändern',
    fetch: 'Adresse nochmals lesen',
    delete: 'Löschen',
    deleted: (title) => `${title} gelöscht`,
    noText: 'Noch kein Text',
    noTextWaiting: 'Der Text steht hier, sobald das Dokument gelesen ist.',
    noTextFailed: 'Aus diesem Dokument konnte nichts gelesen werden.',
    olderText: 'Das ist der frühere Text. Antworten nutzen ihn, bis der neue gelesen ist.',
    passage: (position) => `Abschnitt ${number(position)}`,
    length: (count) => `${number(count)} Zeichen`,
    count: (count) => plural(count, { one: '# Abschnitt', other: '# Abschnitte' }),
    passagesHint:
      'Antworten zitieren Abschnitte. Jeder wird über seinen Text, seine Überschriften und den Titel gefunden.',
    titleHint: 'Die Suche liest ihn, und Antworten nennen ihn als Quelle.',
    url: 'Adresse für Lesende',
    urlHint: 'Antworten verweisen darauf. Leer, wenn es keine Seite gibt.',
    urlInvalid: 'Eine Adresse beginnt mit https:// oder http://.',
    audienceHint: 'Nur wer einen dieser Schlüssel hat, bekommt Antworten daraus. Leer: alle.',
    noAudiences: 'Dieser Arbeitsbereich hat noch keine Zielgruppen. Sie entstehen in den Einstellungen.',
    save: 'Speichern',
    saved: 'Gespeichert',
    reindexes: 'Nach einem neuen Titel oder einer neuen Zielgruppe wird das Dokument neu gelesen.',
    readOnly:
      'Deine Rolle kann Dokumente lesen, aber nicht ändern. Wende dich an eine Person, der dieser Arbeitsbereich gehört.',
    file: 'Datei',
    type: 'Art',
    id: 'Kennung',
    added: 'Hinzugefügt',
    indexed: 'Gelesen',
    editTitle: 'Text ändern',
    editHint: 'Markdown. Antworten nutzen den früheren Text, bis dieser gelesen ist.',
  },
  conflicts: {
    title: 'Widersprüche',
    hint: 'Dokumente werden verglichen, sobald sie gelesen sind. Eine Antwort, die auf einem von zwei Texten beruht, nennt beide.',
    status: 'Stand',
    statuses: { open: 'Offen', dismissed: 'Verworfen', resolved: 'Behoben' },
    kinds: {
      number: 'Verschiedene Zahlen',
      date: 'Verschiedene Daten',
      time: 'Verschiedene Uhrzeiten',
      duration: 'Verschiedene Zeiträume',
      percent: 'Verschiedene Prozentsätze',
      'yes-no': 'Einmal ja, einmal nein',
      past: 'Veraltet',
    },
    found: 'Gefunden',
    changed: 'Geändert',
    dismiss: 'Verwerfen',
    reopen: 'Wieder öffnen',
    notLoaded: 'Die Widersprüche sind nicht angekommen',
    empty: {
      open: 'Nichts widerspricht sich',
      dismissed: 'Nichts wurde verworfen',
      resolved: 'Nichts wurde behoben',
    },
    emptyText:
      'Zahlen, Daten, Uhrzeiten und Regeln aller Dokumente werden verglichen, sobald sich eines ändert.',
  },
  keys: {
    add: 'Dateien hinzufügen',
    search: 'Dokumente suchen',
    pick: 'Dokument auswählen',
    delete: 'Ausgewählte löschen',
    back: 'Zurück zu den Dokumenten',
  },
};
