import { countingIn } from '../../counting.ts';
import type { command as english } from '../../english/screens/command.ts';

const { plural, number } = countingIn('de');

export const command: typeof english = {
  groups: {
    latest: 'Zuletzt gewählt',
    documents: 'Dokumente',
    conversations: 'Gespräche',
    visitors: 'Besucher',
    people: 'Team',
    channels: 'Kanäle',
    developers: 'Schlüssel und Webhooks',
  },
  heading: (name, count) => `${name} · ${number(count)}`,
  verbs: {
    text: 'Neues Dokument: Text einfügen',
    page: 'Neues Dokument: Adresse lesen',
    ask: 'Eine Frage zur Probe stellen',
    invite: 'Eine Person einladen',
    channel: 'Einen Kanal verbinden',
    source: 'Eine Quelle hinzufügen',
    curated: 'Neue gepflegte Antwort',
    key: 'Neuer API-Schlüssel',
    webhook: 'Neuer Webhook',
    snippet: 'Neuer Textbaustein',
    skill: 'Neuer Skill',
    copyWorkspace: 'Kennung des Arbeitsbereichs kopieren',
    documentation: 'Dokumentation öffnen',
    language: (name) => `Sprache: ${name}`,
  },
  copied: (id) => `${id} ist kopiert.`,
  notCopied: (id) => `Der Browser hat das Kopieren nicht erlaubt: ${id}`,
  openId: (id) => `${id} öffnen`,
  settingsPage: (page) => `Einstellungen, ${page}`,
  workspaceName: 'Name des Arbeitsbereichs',
  passages: (count) => plural(count, { one: '# Abschnitt', other: '# Abschnitte' }),
  key: 'API-Schlüssel',
  webhook: 'Webhook',
  searching: 'Sucht …',
  nothing: (typed) => `Nichts passt zu „${typed}“.`,
  nothingHint: 'Geben Sie weniger Buchstaben ein, oder fügen Sie eine Kennung ein.',
  failed: (names) => `Nicht durchsucht: ${names}.`,
  retry: 'Erneut versuchen',
  found: (count) => plural(count, { one: '# Treffer', other: '# Treffer' }),
  newTab: 'in neuem Tab',
  pasteId: 'Mit einer Kennung geht es direkt dorthin',
};
