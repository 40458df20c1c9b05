import { countingIn } from '../../counting.ts';
import type { mailbox as english } from '../../english/screens/mailbox.ts';

const { plural, number } = countingIn('de');

/** The set-up of a mailbox. */
export const mailbox: typeof english = {
  title: 'Welches Postfach soll antworten?',
  text: 'Adresse und Passwort genügen. Server, Ports und Verschlüsselung werden aus der Adresse gefunden.',
  step: 'Postfach',
  choice: 'Wo liegt das Postfach?',
  providers: {
    google: { name: 'Google', hint: 'Gmail, Workspace' },
    microsoft: { name: 'Microsoft 365', hint: 'Outlook, Exchange' },
    other: { name: 'Andere', hint: 'Mit Passwort' },
  },
  address: {
    label: 'Adresse',
    hint: 'An sie wird geschrieben, und von ihr kommen die Antworten.',
    missing: 'Geben Sie die Adresse des Postfachs ein, etwa hilfe@laden.example.',
  },
  password: {
    google: {
      label: 'App-Passwort',
      hint: 'Die 16 Buchstaben, die Google für ein Programm erzeugt. Ihr eigenes Passwort wird hier abgelehnt.',
      link: 'So bekommen Sie ein App-Passwort',
    },
    microsoft: {
      label: 'Passwort oder App-Passwort',
      hint: 'Microsoft lehnt Passwörter bei den meisten Postfächern von Firmen ab. Dann registriert ein Administrator eine Anwendung: siehe „Alles zeigen“, OAuth.',
      link: 'So bekommen Sie ein App-Passwort',
    },
    other: {
      label: 'Passwort',
      hint: 'Eines für beide Wege. Manche Anbieter verlangen ein App-Passwort; Sie finden es in deren Einstellungen.',
      link: '',
    },
    missing: 'Geben Sie das Passwort ein.',
  },
  name: {
    label: 'Angezeigter Name',
    hint: 'Steht in Antworten neben der Adresse. Das Feld darf leer bleiben.',
  },
  servers: {
    label: 'Server',
    incoming: 'Kommt herein über',
    outgoing: 'Geht hinaus über',
    encryption: { tls: 'TLS', starttls: 'STARTTLS' },
    place: (host: string, port: number, encryption: string) => `${host}, ${port}, ${encryption}`,
    looking: 'Die Server dieser Adresse werden gesucht.',
    byHand: 'von Hand eingetragen',
    foundBy: {
      choice: 'nach Ihrer Wahl',
      provider: 'aus der Adresse bekannt',
      mx: 'aus den Mailservern der Domain bekannt',
      srv: 'im DNS gefunden (SRV)',
      autoconfig: 'in der Konfiguration der Domain gefunden',
      guess: 'ein üblicher Name, der antwortete',
    },
    none: 'Nicht gefunden. Die Hilfe Ihres Anbieters nennt ihn. Tragen Sie ihn unter „Alles zeigen“ ein.',
    elsewhere: (host: string) =>
      `Das DNS nennt ${host}, außerhalb der Domain der Adresse. Gehen Sie nur weiter, wenn das Ihr Anbieter ist.`,
    all: (count: number) =>
      `Alles zeigen, ${plural(count, { one: '# weiteres Feld', other: '# weitere Felder' })}`,
    less: 'Weniger zeigen',
  },
  submit: 'Prüfen und verbinden',
  again: 'Erneut prüfen',
  anyway: 'Trotzdem verbinden',
  anywayHint: 'Nichts wird gespeichert, bevor die Prüfung gelingt, außer Sie verbinden trotzdem.',
  connected: 'Verbunden. Der Kanal antwortet niemandem, bevor er eingeschaltet ist.',
  checks: {
    label: 'Prüfungen des Postfachs',
    names: { incoming: 'Das Postfach lässt sich lesen', outgoing: 'Mail lässt sich senden' },
    asking: 'Anmeldung läuft',
    opened: (mails: number, unread: number) =>
      `Anmeldung angenommen, ${plural(mails, { one: '# Mail', other: '# Mails' })}, ${number(unread)} ungelesen. Nichts wurde als gelesen markiert.`,
    accepted: 'Anmeldung angenommen. Es wurde keine Mail gesendet.',
    says: (words: string) => `Der Server sagt: „${words}“`,
    whatToDo: 'Was zu tun ist',
    openHelp: 'Hilfeseite öffnen',
  },
  faults: {
    wrong_password: 'Das Passwort wird abgelehnt.',
    app_password_needed: 'Der Anbieter verlangt hier ein App-Passwort.',
    passwords_off: 'Der Anbieter nimmt hier keine Passwörter an.',
    imap_off: 'IMAP ist für dieses Postfach ausgeschaltet.',
    smtp_auth_off: 'Senden mit Passwort ist für dieses Postfach ausgeschaltet.',
    unknown_host: 'Einen Server dieses Namens gibt es nicht.',
    private_host: 'Dieser Server liegt in einem privaten Netz, mit dem Parley sich nicht verbindet.',
    no_connection: 'An diesem Server und Port antwortet nichts.',
    no_tls: 'Der Server bietet hier keine Verschlüsselung an.',
    untrusted_certificate: 'Das Zertifikat des Servers gilt nicht für seinen Namen.',
    timeout: 'Der Server antwortete nicht rechtzeitig.',
    busy: 'Der Server lehnt im Augenblick ab.',
    no_folder: 'Das Postfach hat keinen Ordner dieses Namens.',
    other: 'Der Server lehnte ab.',
  },
  remedies: {
    wrong_password:
      'Vergleichen Sie Adresse und Passwort. Viele Anbieter lehnen das gewöhnliche Passwort ab und verlangen ein App-Passwort.',
    app_password_needed:
      'Erzeugen Sie in den Sicherheitseinstellungen des Anbieters ein App-Passwort und fügen Sie es ein.',
    passwords_off:
      'Verwenden Sie OAuth: Ein Administrator registriert eine Anwendung, ihre Felder stehen unter „Alles zeigen“.',
    imap_off: 'Schalten Sie IMAP in den Einstellungen des Postfachs ein und prüfen Sie erneut.',
    smtp_auth_off:
      'Bitten Sie den Administrator, SMTP mit Anmeldung für dieses Postfach einzuschalten, und prüfen Sie erneut.',
    unknown_host:
      'Vergleichen Sie den Namen des Servers mit der Hilfe Ihres Anbieters, unter „Alles zeigen“.',
    private_host: 'Ein Betreiber kann es mit ALLOW_PRIVATE_CHANNELS erlauben.',
    no_connection: 'Vergleichen Sie Namen und Port mit der Hilfe Ihres Anbieters, unter „Alles zeigen“.',
    no_tls: 'Übliche Ports mit Verschlüsselung sind 993 zum Lesen und 465 oder 587 zum Senden.',
    untrusted_certificate:
      'Tragen Sie den Namen des Servers so ein, wie Ihr Anbieter ihn schreibt, unter „Alles zeigen“.',
    timeout:
      'Versuchen Sie es noch einmal. Bleibt es so, vergleichen Sie Namen und Port unter „Alles zeigen“.',
    busy: 'Zu viele Verbindungen, oder der Server macht eine Pause. Versuchen Sie es in einigen Minuten noch einmal.',
    no_folder: 'Berichtigen Sie den Ordner unter „Alles zeigen“. INBOX gibt es überall.',
    other: 'Die Worte des Servers sagen mehr. Seine Hilfeseiten kennen sie vielleicht.',
  },
  providerRemedies: {
    google: {
      wrong_password:
        'Google lehnt hier das Passwort des Kontos ab. Schalten Sie die Bestätigung in zwei Schritten ein, erzeugen Sie ein App-Passwort und fügen Sie dessen 16 Buchstaben ein.',
      app_password_needed:
        'Schalten Sie die Bestätigung in zwei Schritten ein, erzeugen Sie ein App-Passwort und fügen Sie dessen 16 Buchstaben ein.',
      imap_off:
        'Öffnen Sie in den Einstellungen von Gmail „Weiterleitung und POP/IMAP“ und aktivieren Sie IMAP. In Workspace erlaubt es der Administrator unter Apps, Gmail, Endnutzerzugriff.',
    },
    microsoft: {
      wrong_password:
        'Mit Bestätigung in zwei Schritten erzeugen Sie ein App-Passwort. Postfächer von Firmen nehmen gar kein Passwort an: Ein Administrator registriert eine Anwendung, ihre Felder stehen unter „Alles zeigen“, OAuth.',
      passwords_off:
        'Microsoft nimmt für dieses Postfach keine Passwörter an. Ein Administrator registriert eine Anwendung in Entra; ihre Felder stehen unter „Alles zeigen“, OAuth.',
      smtp_auth_off:
        'Der Administrator schaltet es im Microsoft 365 Admin Center ein: Benutzer, E-Mail, E-Mail-Apps verwalten, Authentifiziertes SMTP. Der Mandant kann es im Ganzen verbieten.',
    },
  },
  promise: {
    title: 'Was dann geschieht',
    lines: [
      'Mails, die nach dem Einschalten hereinkommen, werden beantwortet.',
      'Was jetzt im Postfach liegt, bleibt unbeantwortet, gelesen oder nicht.',
      'Eine neue Mail gilt als gelesen, sobald sie empfangen ist. Keine wird verschoben oder gelöscht.',
      'Newsletter, Unzustellbarkeiten und automatische Antworten werden nicht beantwortet.',
    ],
  },
};
