import { countingIn } from '../../counting.ts';
import type { models as english } from '../../english/screens/models.ts';

const { plural, number } = countingIn('de');

/** The language models of a workspace, and the keys of their providers. */
export const models: typeof english = {
  right: 'Modelle und Schlüssel sind für Inhaber.',
  force: 'Jetzt in Kraft',
  forceText: 'Für jeden Kanal dieses Arbeitsbereichs, ab der nächsten Frage.',
  own: (names) => `Die Modelle dieses Arbeitsbereichs: ${names}.`,
  installation: (names) => `Die Modelle der Installation: ${names}.`,
  after: (names) => `Scheitern alle, folgen die Modelle der Installation: ${names}.`,
  quoted: 'Kein Modell: Antworten werden aus Ihren Dokumenten zitiert.',
  quotedAfter: 'Scheitern alle, zitieren die Kanäle Ihre Dokumente.',
  unusable:
    'Für keines der Modelle gibt es einen Schlüssel, also werden Antworten aus Ihren Dokumenten zitiert.',
  next: ', dann ',
  withSpeed: (model, ms) => `${model} (${number(ms / 1_000)} s)`,
  speed: (ms, answers) =>
    `${number(ms / 1_000)} s im Mittel (Median) von ${plural(answers, { one: '# Antwort', other: '# Antworten' })}`,
  order: 'Wahl dieses Arbeitsbereichs',
  orderText: 'In dieser Reihenfolge versucht: Das nächste übernimmt, wenn eines scheitert oder hängt.',
  list: 'Gewählte Modelle',
  keys: {
    own: (provider) => `${provider}, Ihr Schlüssel`,
    installation: (provider) => `${provider}, Schlüssel der Installation`,
    none: (provider) => `${provider}, kein Schlüssel: Es wird übergangen`,
  },
  up: (model) => `${model} nach oben`,
  down: (model) => `${model} nach unten`,
  drop: (model) => `${model} herausnehmen`,
  add: 'Modell hinzufügen',
  addHint: 'Als anbieter:modell. Jedes andere Modell eines Anbieters mit Schlüssel können Sie eintippen.',
  addNow: 'Hinzufügen',
  malformed: 'Schreiben Sie es als anbieter:modell, etwa openai:gpt-5-mini.',
  twice: 'Es steht schon in der Liste.',
  save: 'Speichern',
  saved: 'Gespeichert',
  providers: 'Anbieter',
  providersText:
    'Ein Schlüssel wird verschlüsselt gespeichert, sofort mit einer winzigen Anfrage versucht und in allen Arbeitsbereichen Ihres Unternehmens benutzt.',
  limited: 'Schlüssel sind für Inhaber aller Arbeitsbereiche.',
  states: {
    works: 'Ihr Schlüssel geht',
    fails: 'Ihr Schlüssel geht nicht',
    installation: 'Schlüssel der Installation',
    none: 'Kein Schlüssel',
  },
  key: (lastFour) => `Schlüssel …${lastFour}`,
  setBy: (name) => `gesetzt von ${name}`,
  tried: 'versucht',
  bring: 'Eigenen Schlüssel benutzen',
  bringTo: (provider) => `Eigenen Schlüssel benutzen: ${provider}`,
  replace: 'Ersetzen',
  replaceOf: (provider) => `Schlüssel von ${provider} ersetzen`,
  tryAgain: 'Nochmals versuchen',
  tryAgainOf: (provider) => `Nochmals versuchen: Schlüssel von ${provider}`,
  remove: 'Entfernen',
  removeOf: (provider) => `Schlüssel von ${provider} entfernen`,
  removeNow: 'Jetzt entfernen',
  keep: 'Behalten',
  withInstallation: 'Der Schlüssel der Installation tritt an seine Stelle.',
  withNothing: 'Seine Modelle werden dann übergangen.',
  apiKey: 'Schlüssel',
  model: 'Modell für den Versuch',
  submit: 'Versuchen und speichern',
  anyway: 'Trotzdem speichern',
  cancel: 'Abbrechen',
  notStored: 'Der Schlüssel ist nicht gespeichert.',
  more: 'Alle Anbieter zeigen',
  outcomes: {
    answered: (model, ms, tokens) =>
      tokens === 0
        ? `${model} hat in ${number(ms)} ms geantwortet.`
        : `${model} hat in ${number(ms)} ms geantwortet, ${plural(tokens, { one: '# Token', other: '# Token' })}.`,
    key_refused: (provider) => `${provider} weist diesen Schlüssel ab. Ist er ganz kopiert?`,
    no_credit: (provider) => `Das Konto bei ${provider} hat kein Guthaben mehr.`,
    unknown_model: (provider, model) => `${provider} hat für diesen Schlüssel kein Modell „${model}“.`,
    rate_limited: (provider) => `${provider} nimmt im Augenblick keine Anfragen mehr an.`,
    unreachable: (provider) => `Dieser Server hat ${provider} nicht erreicht.`,
    timeout: (provider) => `${provider} hat in 20 Sekunden nicht geantwortet.`,
    not_installed: (provider) => `Dieser Installation fehlt das Paket für ${provider}.`,
    failed: (provider) => `${provider} ist gescheitert.`,
  },
  says: (reason) => `Im Wortlaut: „${reason}“`,
};
