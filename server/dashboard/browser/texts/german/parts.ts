import { countingIn } from '../counting.ts';
import type { Catalogue } from '../english.ts';

const { plural, number } = countingIn('de');

export const parts: Catalogue['parts'] = {
  error: {
    title: 'Das wurde nicht geladen',
    noConnection: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    unexpected: 'Das Dashboard ist auf etwas Unerwartetes gestoßen.',
    tryAgain: 'Erneut versuchen',
    copy: 'Code und Anfragenummer kopieren',
  },
  noRight: {
    title: (who) => `Das ist für ${who}.`,
    owners: 'Inhaber',
    ask: 'Fragen Sie eine Inhaberin oder einen Inhaber dieses Arbeitsbereichs.',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  show: 'Zeigen',
  hide: 'Verbergen',
  save: 'Speichern',
  unsaved: 'Nicht gespeichert',
  discard: 'Verwerfen',
  saving: 'Speichert',
  cancel: 'Abbrechen',
  secretOnce: {
    hint: 'Nur jetzt zu sehen. Geht es verloren, erstellen Sie ein neues.',
    ready: (name) => `„${name}“ ist bereit`,
  },
  confidence: { high: 'Hoch', medium: 'Mittel', low: 'Niedrig', none: 'Nichts gefunden' },
  unsure: 'Unsicher',
  score: (value) => `Wert ${number(value)}`,
  form: {
    defaultIs: (value) => `Standard: ${value}`,
    reset: 'Auf Standard setzen',
    resetField: (label) => `Auf Standard setzen: ${label}`,
    add: 'Hinzufügen',
    remove: (label) => `${label} entfernen`,
    optional: 'freiwillig',
    notSet: 'Nicht gesetzt',
    on: 'an',
    off: 'aus',
    empty: 'leer',
    required: 'Das wird gebraucht.',
    item: (position) => `Eintrag ${number(position)}`,
    unchanged: 'Gespeichert. Leer lassen, um es zu behalten.',
    problems: (count) =>
      plural(count, { one: '# Feld braucht eine Änderung', other: '# Felder brauchen eine Änderung' }),
  },
  table: { rows: (count) => plural(count, { one: '# Zeile', other: '# Zeilen' }), actions: 'Aktionen' },
  tabs: { next: 'Nächster Reiter', previous: 'Voriger Reiter' },
  time: { now: 'gerade eben', never: 'nie' },
};
