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
  column: 'Darf',
};
