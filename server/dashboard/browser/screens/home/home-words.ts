import { countingIn } from '../../texts/counting.ts';
import { useWords } from '../../texts/texts.tsx';
import type { Need } from './needs.ts';

const en = countingIn('en');
const de = countingIn('de');

type Kind = Need['what']['kind'];
type Told = { readonly title: string; readonly text: string; readonly action: string };
type Tell = { readonly [K in Kind]: (what: Extract<Need['what'], { readonly kind: K }>) => Told };

const tellEnglish: Tell = {
  channel_refused: ({ name, error, parts }) => ({
    title: `${name}: the platform refuses it`,
    text: [
      error,
      parts > 0
        ? `${en.plural(parts, { one: '# message waits', other: '# messages wait' })}. Nothing is lost.`
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    action: 'Mend it',
  }),
  channel_stale: ({ name }) => ({
    title: `${name} has been silent for too long`,
    text: 'Messages may not arrive. Check the connection.',
    action: 'Check',
  }),
  channel_unproven: ({ name, done, of }) => ({
    title: `${name} is not proven`,
    text: `${en.number(done)} of ${en.number(of)} checks have been seen.`,
    action: 'Go on',
  }),
  documents_failed: ({ count }) => ({
    title: en.plural(count, { one: '# document could not be read', other: '# documents could not be read' }),
    text: 'Nobody is answered from it.',
    action: 'Look',
  }),
  source_held: ({ name }) => ({
    title: `${name}: a run waits for you`,
    text: 'It would remove or change more than usual. Nothing changes until you decide.',
    action: 'Decide',
  }),
  source_needs_you: ({ name, items }) => ({
    title: `${name} needs you`,
    text: `${en.plural(items, { one: '# page or file', other: '# pages or files' })} cannot be read.`,
    action: 'Look',
  }),
  waiting_late: ({ count }) => ({
    title: en.plural(count, {
      one: '# person is about to wait too long',
      other: '# people are about to wait too long',
    }),
    text: 'The promised time of the first reply is nearly over.',
    action: 'Open',
  }),
  waiting: ({ count }) => ({
    title: en.plural(count, {
      one: '# conversation waits for a person',
      other: '# conversations wait for a person',
    }),
    text: 'Visitors asked for a person, or the answer was not good enough.',
    action: 'Open',
  }),
  quota: ({ used, quota }) => ({
    title:
      used >= quota ? 'The messages of this month are used up' : 'The messages of this month are running low',
    text: `${en.number(used)} of ${en.number(quota)} are used.`,
    action: 'See usage',
  }),
  key_silent: ({ name, days }) => ({
    title: `The key “${name}” has been silent for ${en.number(days)} days`,
    text: 'Revoke it if nobody misses it.',
    action: 'Keys',
  }),
  conflicts: ({ count, isMore }) => ({
    title: `${isMore ? `More than ${en.number(count)} contradictions` : en.plural(count, { one: '# contradiction', other: '# contradictions' })} between documents`,
    text: 'Two documents state different facts. Visitors get one of them.',
    action: 'Compare',
  }),
  unsure_answers: ({ count }) => ({
    title: en.plural(count, {
      one: '# conversation with an unsure answer',
      other: '# conversations with unsure answers',
    }),
    text: 'A document may be missing.',
    action: 'Look',
  }),
};

const tellGerman: Tell = {
  channel_refused: ({ name, error, parts }) => ({
    title: `${name}: Die Plattform lehnt ihn ab`,
    text: [
      error,
      parts > 0
        ? `${de.plural(parts, { one: '# Nachricht wartet', other: '# Nachrichten warten' })}. Nichts geht verloren.`
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    action: 'Beheben',
  }),
  channel_stale: ({ name }) => ({
    title: `${name} ist zu lange still`,
    text: 'Vielleicht kommen keine Nachrichten an. Prüfen Sie die Verbindung.',
    action: 'Prüfen',
  }),
  channel_unproven: ({ name, done, of }) => ({
    title: `${name} ist nicht bewiesen`,
    text: `${de.number(done)} von ${de.number(of)} Belegen liegen vor.`,
    action: 'Weiter',
  }),
  documents_failed: ({ count }) => ({
    title: de.plural(count, { one: '# Dokument ist nicht lesbar', other: '# Dokumente sind nicht lesbar' }),
    text: 'Niemand bekommt Antworten daraus.',
    action: 'Ansehen',
  }),
  source_held: ({ name }) => ({
    title: `${name}: Ein Lauf wartet auf Sie`,
    text: 'Er würde mehr als üblich ändern oder entfernen. Bis zu Ihrer Entscheidung ändert sich nichts.',
    action: 'Entscheiden',
  }),
  source_needs_you: ({ name, items }) => ({
    title: `${name} braucht Sie`,
    text: `${de.plural(items, { one: '# Seite oder Datei ist', other: '# Seiten oder Dateien sind' })} nicht lesbar.`,
    action: 'Ansehen',
  }),
  waiting_late: ({ count }) => ({
    title: de.plural(count, {
      one: '# Person wartet gleich zu lange',
      other: '# Personen warten gleich zu lange',
    }),
    text: 'Die zugesagte Zeit bis zur ersten Antwort ist fast vorbei.',
    action: 'Öffnen',
  }),
  waiting: ({ count }) => ({
    title: de.plural(count, {
      one: '# Gespräch wartet auf einen Menschen',
      other: '# Gespräche warten auf einen Menschen',
    }),
    text: 'Besucher baten um einen Menschen, oder die Antwort war nicht gut genug.',
    action: 'Öffnen',
  }),
  quota: ({ used, quota }) => ({
    title:
      used >= quota
        ? 'Die Nachrichten dieses Monats sind verbraucht'
        : 'Die Nachrichten dieses Monats werden knapp',
    text: `${de.number(used)} von ${de.number(quota)} sind verbraucht.`,
    action: 'Verbrauch',
  }),
  key_silent: ({ name, days }) => ({
    title: `Der Schlüssel „${name}“ ist seit ${de.number(days)} Tagen still`,
    text: 'Widerrufen Sie ihn, wenn ihn niemand vermisst.',
    action: 'Schlüssel',
  }),
  conflicts: ({ count, isMore }) => ({
    title: `${isMore ? `Mehr als ${de.number(count)} Widersprüche` : de.plural(count, { one: '# Widerspruch', other: '# Widersprüche' })} zwischen Dokumenten`,
    text: 'Zwei Dokumente nennen verschiedene Tatsachen. Besucher bekommen eine davon.',
    action: 'Vergleichen',
  }),
  unsure_answers: ({ count }) => ({
    title: de.plural(count, {
      one: '# Gespräch mit unsicherer Antwort',
      other: '# Gespräche mit unsicheren Antworten',
    }),
    text: 'Vielleicht fehlt ein Dokument.',
    action: 'Ansehen',
  }),
};

const english = {
  title: 'Home',
  steps: {
    title: 'Six steps to a sound start',
    text: 'Each ticks by itself when the thing was seen. Gone when all six are.',
    seen: (done: number) => `${done} of 6 seen`,
    isSeen: 'Seen',
    isOpen: 'Open',
    of: {
      named: { title: 'Workspace named', text: (name: string) => name, open: '', action: 'Rename' },
      document: {
        title: 'First document ready',
        text: (count: string) =>
          en.plural(Number(count), { one: '# document answers', other: '# documents answer' }),
        open: 'A file, a text or a website',
        action: 'Add one',
      },
      answer: {
        title: 'A question answered with confidence',
        text: (question: string) => `“${question}”`,
        open: 'Ask as a customer would',
        action: 'Ask',
      },
      channel: {
        title: 'A channel proven',
        text: (name: string) => name,
        open: 'The first message has not been heard',
        action: 'Connect one',
      },
      colleague: {
        title: 'A colleague joined',
        text: (name: string) => name,
        open: 'Somebody who answers when you do not',
        action: 'Invite',
      },
      second_factor: {
        title: 'Passkey or second factor',
        text: () => 'Your account has one',
        open: 'Your account has a password only',
        action: 'Add one',
      },
    },
  },
  needs: {
    title: 'Needs a person',
    text: 'Red first, then what is due soonest',
    none: 'Nothing needs a person',
    noneText: 'Channels, documents and conversations are in order.',
    count: (all: number, red: number) =>
      `${en.plural(all, { one: '# thing', other: '# things' })}${red > 0 ? `, ${en.number(red)} red` : ''}`,
    unread: 'Something could not be read, so this list may not be complete.',
    tones: { red: 'Urgent', amber: 'Soon', plain: 'When there is time' },
    tell: tellEnglish,
  },
};

const german: typeof english = {
  title: 'Start',
  steps: {
    title: 'Sechs Schritte zu einem guten Anfang',
    text: 'Jeder hakt sich selbst ab, sobald die Sache gesehen wurde. Nach allen sechs ist die Liste weg.',
    seen: (done) => `${done} von 6 gesehen`,
    isSeen: 'Gesehen',
    isOpen: 'Offen',
    of: {
      named: { title: 'Arbeitsbereich benannt', text: (name) => name, open: '', action: 'Umbenennen' },
      document: {
        title: 'Erstes Dokument bereit',
        text: (count) =>
          de.plural(Number(count), { one: '# Dokument antwortet', other: '# Dokumente antworten' }),
        open: 'Eine Datei, ein Text oder eine Website',
        action: 'Hinzufügen',
      },
      answer: {
        title: 'Eine Frage sicher beantwortet',
        text: (question) => `„${question}“`,
        open: 'Fragen Sie wie ein Kunde',
        action: 'Fragen',
      },
      channel: {
        title: 'Ein Kanal bewiesen',
        text: (name) => name,
        open: 'Noch kam keine erste Nachricht an',
        action: 'Verbinden',
      },
      colleague: {
        title: 'Jemand ist dazugekommen',
        text: (name) => name,
        open: 'Wer antwortet, wenn Sie es nicht tun',
        action: 'Einladen',
      },
      second_factor: {
        title: 'Passkey oder zweiter Faktor',
        text: () => 'Ihr Konto hat das',
        open: 'Ihr Konto hat nur ein Passwort',
        action: 'Hinzufügen',
      },
    },
  },
  needs: {
    title: 'Braucht einen Menschen',
    text: 'Rotes zuerst, dann was am ehesten fällig ist',
    none: 'Nichts braucht einen Menschen',
    noneText: 'Kanäle, Dokumente und Gespräche sind in Ordnung.',
    count: (all, red) =>
      `${de.plural(all, { one: '# Sache', other: '# Sachen' })}${red > 0 ? `, ${de.number(red)} rot` : ''}`,
    unread: 'Etwas war nicht lesbar, deshalb ist diese Liste vielleicht nicht vollständig.',
    tones: { red: 'Dringend', amber: 'Bald', plain: 'Wenn Zeit ist' },
    tell: tellGerman,
  },
};

/** The texts of Home. */
export const useHomeWords = () => useWords({ en: english, de: german });

/** The title, the text and the way out of a need. */
export function tellNeed({ what }: Need, tell: Tell): Told {
  switch (what.kind) {
    case 'channel_refused':
      return tell.channel_refused(what);
    case 'channel_stale':
      return tell.channel_stale(what);
    case 'channel_unproven':
      return tell.channel_unproven(what);
    case 'documents_failed':
      return tell.documents_failed(what);
    case 'source_held':
      return tell.source_held(what);
    case 'source_needs_you':
      return tell.source_needs_you(what);
    case 'waiting_late':
      return tell.waiting_late(what);
    case 'waiting':
      return tell.waiting(what);
    case 'quota':
      return tell.quota(what);
    case 'key_silent':
      return tell.key_silent(what);
    case 'conflicts':
      return tell.conflicts(what);
    case 'unsure_answers':
      return tell.unsure_answers(what);
  }
}
