import { countingIn } from '../counting.ts';
import type { Catalogue } from '../english.ts';

const { plural } = countingIn('de');

export const signIn: Catalogue['signIn'] = {
  title: 'Anmelden',
  to: (host) => `bei ${host}`,
  email: 'E-Mail',
  password: 'Passwort',
  forgotten: 'Vergessen?',
  submit: 'Anmelden',
  busy: 'Meldet an',
  or: 'oder',
  passkey: 'Passkey verwenden',
  provider: (name) => `Weiter mit ${name}`,
  promise: 'Alle Kanäle, ein Bestand an Dokumenten und ein Grund für jede Antwort.',
  samples: {
    one: 'Kann ich es am Samstag vorbeibringen?',
    oneMeta: 'WhatsApp, beantwortet in 0,9 s',
    two: 'Was kostet die Lieferung nach Deutschland?',
    twoMeta: 'E-Mail, beantwortet in 0,7 s',
    three: 'Keimt eine Kapsel von 2023 noch?',
    threeMeta: 'Widget, an Ben übergeben',
  },
  secondFactor: {
    title: 'Noch ein Schritt',
    text: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App zeigt.',
    code: 'Code',
    submit: 'Weiter',
    useBackup: 'Ersatzcode verwenden',
    backupText: 'Geben Sie einen Ihrer Ersatzcodes ein. Jeder gilt einmal.',
    backupCode: 'Ersatzcode',
    useApp: 'Authenticator-App verwenden',
    back: 'Zurück zur Anmeldung',
  },
  proof: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Das lässt sich nicht rückgängig machen, deshalb fragt Parley, wer Sie sind. Nach zehn Minuten fragt es erneut.',
    password: 'Ihr Passwort',
    code: 'Code',
    codeHint: 'Die sechs Ziffern Ihrer Authenticator-App oder ein Ersatzcode.',
    passkey: 'Passkey verwenden',
    confirm: 'Bestätigen',
    cancelled: 'Es wurde nichts geändert, weil Sie nicht bestätigt haben, dass Sie es sind.',
    company: (name) =>
      `Sie haben sich über ${name ?? 'Ihr Unternehmen'} angemeldet, das genügt hierfür nicht. Melden Sie sich ab, mit Ihrem eigenen Passwort oder Passkey wieder an und wiederholen Sie es.`,
  },
  errors: {
    INVALID_EMAIL_OR_PASSWORD: 'E-Mail oder Passwort ist falsch.',
    INVALID_EMAIL: 'Das ist keine E-Mail-Adresse.',
    INVALID_CODE: 'Der Code ist falsch oder zu alt. Geben Sie den ein, der jetzt gezeigt wird.',
    INVALID_BACKUP_CODE: 'Der Ersatzcode ist falsch oder verbraucht.',
    INVALID_TWO_FACTOR_COOKIE: 'Die Anmeldung dauerte zu lange. Beginnen Sie neu.',
    INVALID_PASSWORD: 'Das Passwort ist falsch.',
    PASSWORD_TOO_SHORT: 'Das Passwort ist kürzer als 12 Zeichen.',
    PASSWORD_TOO_LONG: 'Das Passwort ist zu lang. Höchstens 128 Zeichen.',
    weak_password:
      'Das Passwort ist zu kurz oder leicht zu erraten: ein verbreitetes Wort mit Ziffern, eine Tastenreihe, eine Wiederholung oder Ihr Name. Nehmen Sie mehrere Wörter, 12 Zeichen oder mehr.',
    invalid_email: 'Das ist keine E-Mail-Adresse.',
    link_expired: 'Der Link wurde benutzt oder ist zu alt. Bitten Sie um einen neuen.',
    ACCOUNT_TEMPORARILY_LOCKED:
      'Zu viele falsche Codes. Warten Sie eine Viertelstunde oder nehmen Sie einen Passkey.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE:
      'Zu viele falsche Codes. Melden Sie sich noch einmal mit Ihrem Passwort an.',
    passkey: 'Der Passkey ging nicht. Versuchen Sie es erneut oder nehmen Sie Ihr Passwort.',
    INVALID_PASSKEY: 'Diesen Passkey hat ein anderes Konto.',
    proof_required: 'Es wurde nichts geändert, weil Sie nicht bestätigt haben, dass Sie es sind.',
    sign_in_with_provider: 'Ihr Unternehmen verlangt seine eigene Anmeldung. Wählen Sie sie unten.',
    mail_not_set_up: 'Diese Installation verschickt keine E-Mails. Bitten Sie einen Inhaber um einen Link.',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    other: 'Das ging nicht. Versuchen Sie es erneut.',
  },
  tooMany: {
    soon: 'Zu viele Versuche. Warten Sie eine Minute.',
    seconds: (count) =>
      plural(count, {
        one: 'Zu viele Versuche. Warten Sie # Sekunde und versuchen Sie es erneut.',
        other: 'Zu viele Versuche. Warten Sie # Sekunden und versuchen Sie es erneut.',
      }),
    minutes: (count) =>
      plural(count, {
        one: 'Zu viele Versuche. Warten Sie # Minute und versuchen Sie es erneut.',
        other: 'Zu viele Versuche. Warten Sie # Minuten und versuchen Sie es erneut.',
      }),
  },
  begin: {
    title: 'Das erste Konto anlegen',
    text: 'Ihnen gehören diese Installation und ihr Demo-Bereich. Der Link, der Sie herführte, gilt einmal.',
    name: 'Ihr Name',
    submit: 'Konto anlegen',
    atLeast: 'Zwölf Zeichen oder mehr genügen, ohne Sonderzeichen und Ziffern.',
    counted: (count) =>
      plural(count, {
        one: '# Zeichen. Zwölf oder mehr genügen, ohne Sonderzeichen und Ziffern.',
        other: '# Zeichen. Zwölf oder mehr genügen, ohne Sonderzeichen und Ziffern.',
      }),
    linkGood: 'Der Link gilt 24 Stunden',
    steps: 'Drei Minuten bis zur ersten Antwort',
    step: {
      account: 'Konto anlegen',
      accountText: 'Ein Passkey kann folgen, dann brauchen Sie kein Passwort',
      demo: 'An Ihre Demoseite schreiben',
      demoText: '18 Dokumente von Pottle & Sprig sind schon gelesen',
      person: 'Als Mensch antworten',
      personText: 'Verlangen Sie auf der Seite einen Menschen und sehen Sie die Übergabe',
      own: 'Eigenes bringen',
      ownText: 'Dokumente ablegen, einen Kanal verbinden, einen Schlüssel erstellen',
    },
    lostLink: 'Der Link ist verbraucht oder verloren?',
    makesAnother: 'druckt einen neuen.',
    noToken:
      'Der Link ist unvollständig. Öffnen Sie ihn so, wie die Konsole ihn zeigt, mit allem hinter dem #.',
  },
  invite: {
    title: (workspaces) => `${workspaces} beitreten`,
    text: (inviter, role) => `${inviter} lädt Sie ein: ${role}.`,
    roles: { owner: 'Inhaber', agent: 'Bearbeitung', viewer: 'Nur lesen', operator: 'Betrieb' },
    submit: 'Beitreten',
    joinAs: (name) => `Als ${name} beitreten`,
    atProvider: (name, email) =>
      `Hier meldet man sich über ${name} an. Melden Sie sich als ${email} an, dann sind Sie dabei.`,
    known: (email) => `Sie haben ein Konto als ${email}. Melden Sie sich damit an, um beizutreten.`,
    signIn: 'Anmelden und zurückkommen',
    otherPerson: (name, email) => `Sie sind als ${name} angemeldet. Diese Einladung ist für ${email}.`,
    signOut: 'Abmelden und fortfahren',
    noToken: 'Der Link ist unvollständig. Öffnen Sie ihn so, wie Sie ihn erhielten, mit allem hinter dem #.',
    right: 'Das können Sie dann',
    reading: 'Liest die Einladung',
    broken: 'Diese Einladung geht nicht',
    rights: {
      owner: ['Alles im Arbeitsbereich', 'Kanäle, Schlüssel und Einstellungen', 'Menschen und ihre Rollen'],
      agent: ['Gespräche lesen und beantworten', 'Das Wissen lesen', 'Den Stand der Kanäle sehen'],
      viewer: ['Gespräche und Antworten lesen', 'Das Wissen lesen'],
      operator: ['Die Installation betreiben', 'Warteschlangen und Fehler sehen', 'Arbeitsbereiche anlegen'],
    },
  },
  recover: {
    title: 'Ein neues Passwort wählen',
    text: 'Ihre anderen Sitzungen enden. Ein Link von einem Inhaber schaltet auch den zweiten Faktor ab. Sie können ihn danach neu einrichten.',
    submit: 'Passwort setzen und anmelden',
    noToken: 'Der Link ist unvollständig. Öffnen Sie ihn so, wie Sie ihn erhielten, mit allem hinter dem #.',
  },
  forgot: {
    title: 'Ein neuer Zugang',
    text: 'Parley verschickt dafür keine Mail. Zwei können helfen:',
    mailText: 'Parley schickt Ihnen einen Link für ein neues Passwort.',
    send: 'Link schicken',
    sent: 'Sehen Sie in Ihr Postfach',
    sentText: (email) =>
      `Falls sich jemand als ${email} anmeldet, ist ein Link unterwegs. Er gilt einmal, einen Tag lang.`,
    owner: 'Inhaber Ihres Arbeitsbereichs',
    ownerText: 'erstellen unter Einstellungen, Personen einen neuen Link.',
    operator: 'Der Betrieb dieser Installation',
    operatorText: 'druckt mit diesem Befehl einen Link.',
    back: 'Zurück zur Anmeldung',
  },
};
