import type { keyScopes as english } from '../../english/screens/key-scopes.ts';

export const keyScopes: typeof english = {
  preset: 'Rechte',
  presets: { usual: 'Fragen und lesen', all: 'Alles Folgende', chosen: 'Unten gewählt' },
  every: 'Alles',
  label: 'Was er darf',
  hint: 'Das bleibt so. Für andere Rechte erstellen Sie einen weiteren Schlüssel.',
  scopes: {
    query: 'Fragen stellen und Antworten bewerten',
    search: 'In den Dokumenten suchen, ohne zu fragen',
    'conversations:read': 'Gespräche und ihre Nachrichten lesen',
    'conversations:write': 'Gespräche ändern und löschen, Notizen schreiben',
    'conversations:reply': 'Besuchern als Mensch antworten',
    'documents:read': 'Dokumente und Quellen lesen',
    'documents:write': 'Dokumente hinzufügen, ändern und löschen, Quellen einlesen',
    'events:read': 'Ereignisse lesen',
    'webhooks:write': 'Webhooks verwalten, die jedes Ereignis erfahren',
    'channels:write': 'Nachrichten eigener Kanäle senden und empfangen',
    'usage:read': 'Den Verbrauch des Monats lesen',
    'people:write': 'Alles ausgeben, was über einen Kunden gespeichert ist',
  },
  reach: 'Arbeitsbereiche',
  own: 'Nur dieser Arbeitsbereich',
  owner: 'Alle Arbeitsbereiche dieses Inhabers',
  mode: 'Modus',
  modes: { live: 'Echt', test: 'Test' },
  modeHint:
    'Was ein Testschlüssel fragt, wird nicht gezählt. Nur Testschlüssel sehen seine Gespräche, und nach 7 Tagen werden sie gelöscht.',
  networks: 'Nur aus diesen Netzen',
  networksHint: 'Etwa 203.0.113.0/24 oder 2001:db8::/32, eines je Zeile, höchstens 20. Leer: von überall.',
  from: (networks) => `Aus ${networks.join(', ')}`,
  column: 'Darf',
};
