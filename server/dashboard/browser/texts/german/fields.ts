import type { Catalogue } from '../english.ts';

export const fields: Catalogue['fields'] = {
  description: {
    title: 'Beschreibung',
    description: 'Worum es in diesem Arbeitsbereich geht, in ein bis zwei Sätzen.',
    effect: 'Agenten anderer Firmen lesen sie, bevor sie fragen.',
  },
  audiences: {
    title: 'Zielgruppen',
    description: 'Kennzeichen für Dokumente und nachgewiesene Besucher, etwa staff oder partners.',
    effect: 'Ein Dokument mit Zielgruppe antwortet nur Besuchern, die sie haben.',
  },
  plan_audiences: {
    title: 'Zielgruppen der Tarife',
    description: 'Die Zielgruppen, die die Angabe plan eines verification_token öffnet, nach Tarif.',
    effect: 'Nicht gesetzt: Ein Tarif öffnet die Zielgruppe desselben Namens.',
  },
  allowed_domains: {
    title: 'Domains des Widgets',
    description: 'Seiten, die das Widget zeigen dürfen, ohne https://.',
    effect: 'Leer: jede Seite darf es. Ein Widget mit eigenen Domains liest diese nicht.',
  },
  retention_days: {
    title: 'Gespräche behalten (Tage)',
    description: 'Ein Gespräch ohne Nachricht wird nach so vielen Tagen gelöscht.',
    effect: 'Gilt ab der nächsten Stunde, auch für vorhandene Gespräche.',
  },
  trace_days: {
    title: 'Spuren der Antworten behalten (Tage)',
    description: 'Wie eine Antwort entstand, Schritt für Schritt, für Menschen, die es wissen wollen.',
    effect: 'Mit 0 entsteht ab der nächsten Frage keine. Die Spuren älterer Antworten gehen nach Minuten.',
  },
  strictness: {
    title: 'Wenn die Dokumente nicht antworten',
    description:
      'Entweder sagt die Antwort das, oder sie ergänzt mit niedriger Sicherheit, was das Sprachmodell weiß.',
    effect: 'Gilt ab der nächsten Frage.',
    options: { strict: 'Es sagen', fallback: 'Das Wissen des Sprachmodells ergänzen' },
  },
  fallback_message: {
    title: 'Text, wenn nichts gefunden wird',
    description: 'Besucher erhalten ihn statt einer Antwort.',
    effect: 'Ohne ihn erhalten Besucher einen kurzen Text in ihrer Sprache.',
  },
  ask_for_rating: {
    title: 'Nach einer Bewertung fragen',
    description:
      'Besucher bewerten ein Gespräch von 1 bis 5, das ein Mensch beantwortet und gelöst hat, in allen Kanälen außer dem Telefon. Widget und Seite zeigen ein Formular, die anderen senden eine Frage.',
    effect: 'Gilt ab der nächsten Lösung.',
  },
  handover: {
    title: 'Wer ein Gespräch bekommt',
    description:
      'Reihum oder nach Last bekommt es jemand, der verfügbar ist und diese Seite offen hat; sonst wartet es in der Schlange. Ohne Antwort geht es nach der Frist weiter, an jede Person einmal.',
    effect: 'Gilt innerhalb einer Minute. Außerhalb der Supportzeiten bekommt niemand eins.',
  },
  'handover.assignment': {
    title: 'Zuteilung',
    options: { none: 'Niemandem', round_robin: 'Reihum', least_busy: 'Wer am wenigsten offen hat' },
  },
  'handover.capacity': {
    title: 'Wartende Gespräche je Person',
    description: 'So viele dürfen auf eine Person warten, ehe andere die nächsten bekommen. Ohne Angabe 10.',
  },
  'handover.return_after_minutes': {
    title: 'Weitergeben nach (Minuten)',
  },
  fallback_messages: {
    title: 'Text, wenn nichts gefunden wird, nach Sprache',
    description: 'Der Text für Besucher, die in dieser Sprache schreiben.',
    effect: 'Andere Sprachen behalten den Text für alle Sprachen oder den eingebauten.',
  },
  disclosure_enabled: {
    title: 'Sagen, dass eine Maschine antwortet',
    description:
      'Vor der ersten Antwort eines Gesprächs, nach einer Pause von 24 Stunden und wenn ein Mensch es zurückgibt; in der Begrüßung am Telefon; oben im Widget und auf der Seite. Nicht dort, wo die Plattform Bots selbst kennzeichnet.',
    effect: 'Gilt ab der nächsten Antwort. Das Recht vieler Länder verlangt es.',
  },
  disclosure_message: {
    title: 'Satz, dass eine Maschine antwortet',
    description: 'Besucher lesen oder hören ihn vor der ersten Antwort.',
    effect: 'Ohne ihn erhalten Besucher einen kurzen Satz in ihrer Sprache.',
  },
  disclosure_messages: {
    title: 'Satz, dass eine Maschine antwortet, nach Sprache',
    description: 'Der Satz für Besucher, die in dieser Sprache schreiben.',
    effect: 'Andere Sprachen behalten den Satz für alle Sprachen oder den eingebauten.',
  },
  model: {
    title: 'Sprachmodelle',
    description:
      'Als anbieter:modell, etwa openai:gpt-5-mini, durch Kommas getrennt in der Reihenfolge der Versuche. Jedes braucht einen Schlüssel seines Anbieters.',
    effect:
      'Die der Installation folgen, und antworten ohne eines hier allein; fehlen auch sie, werden Abschnitte zitiert.',
  },
  embedding_model: {
    title: 'Einbettungsmodell',
    description: 'built-in, oder anbieter:modell mit einem Anbieter, der auf dem Server eingerichtet ist.',
    effect:
      'Dokumente werden im Hintergrund neu eingebettet; bis dahin findet das bisherige Modell Abschnitte.',
  },
  mask_secrets: {
    title: 'Geheimnisse in Fragen verbergen',
    description:
      'Kartennummern, Passwörter und Schlüssel werden ersetzt, bevor etwas gespeichert oder an ein Modell gesendet wird.',
    effect: 'Gilt ab der nächsten Frage. Gespeicherte Gespräche bleiben, wie sie sind.',
  },
  skills: {
    title: 'Eingebaute Fähigkeiten',
    description: 'Was außer Antworten erlaubt ist.',
    effect: 'Eine leere Liste schaltet alle aus.',
    options: {
      knowledge_search: 'In Dokumenten suchen',
      collect_lead: 'Kontaktdaten aufnehmen',
      escalate_to_human: 'Einen Menschen holen',
    },
  },
  answer_from: {
    title: 'Als Antwort zeigen ab',
    description: 'Ab dieser Wahrscheinlichkeit, von 0,2 bis 0,9, erscheint das Gefundene als Antwort.',
    effect: 'Gilt ab der nächsten Frage, wo kein Sprachmodell schreibt.',
  },
  maybe_from: {
    title: 'Als unsicher zeigen ab',
    description:
      'Ab dieser Wahrscheinlichkeit erscheint das Gefundene mit den Worten, dass es vielleicht die Antwort ist. Höchstens der Wert darüber; derselbe Wert heißt: nie.',
    effect: 'Darunter lesen Besucher den Text, wenn nichts gefunden wird.',
  },
  escalate_after_fallbacks: {
    title: 'Einen Menschen holen nach (unbeantworteten Fragen)',
    description:
      'So viele Fragen hintereinander ohne Antwort, oder mit einer unsicheren, die nicht geholfen hat, übergeben das Gespräch.',
    effect: 'Sonst kommt ein Mensch nur, wenn Besucher nach einem fragen.',
  },
  publish_needs_green: {
    title: 'Nur grüne Sätze von Änderungen veröffentlichen',
    description:
      'Ein Satz ist grün, wenn die Testfragen mit ihm gestellt wurden und nichts gegen ihn spricht: Jede Antwort, die sich ändert, ist besser, oder ein Mensch hat sie angenommen.',
    effect: 'Gilt für den nächsten Satz. Direkt speichern lassen sich Dokumente und Einstellungen weiterhin.',
  },
  support_hours: {
    title: 'Sprechzeiten',
    description: 'Wann Menschen antworten. Ein Tag ohne Zeiten ist geschlossen.',
    effect: 'Außerhalb erfahren Besucher, wann Sie öffnen, und die Uhren unten stehen still.',
  },
  time_zone: { title: 'Zeitzone' },
  monday: { title: 'Montag' },
  tuesday: { title: 'Dienstag' },
  wednesday: { title: 'Mittwoch' },
  thursday: { title: 'Donnerstag' },
  friday: { title: 'Freitag' },
  saturday: { title: 'Samstag' },
  sunday: { title: 'Sonntag' },
  from: { title: 'Von' },
  to: { title: 'Bis' },
  sla: {
    title: 'Ziele für Menschen',
    description: 'Minuten bis zur ersten Antwort und bis das Gespräch gelöst ist.',
    effect: 'Der Posteingang zeigt die verbleibende Zeit, und Webhooks melden, bevor sie abläuft.',
  },
  first_response_minutes: { title: 'Erste Antwort (Minuten)' },
  resolution_minutes: { title: 'Lösung (Minuten)' },
  require_identity_verification: {
    title: 'Nur nachgewiesenen Besuchern antworten',
    description: 'Fragen ohne Nachweis, wer fragt, werden mit verification_required abgelehnt.',
    effect: 'Weisen Sie Ihre Besucher zuerst nach: Für alle anderen stoppt das Widget sofort.',
  },
  nlweb_enabled: {
    title: 'Öffentlicher Agent (NLWeb)',
    description: 'Alle können fragen, was Dokumente ohne Zielgruppe beantworten.',
    effect: 'Gilt sofort. Fragen zählen zum Kontingent.',
  },
  mcp_enabled: {
    title: 'Öffentlicher Agent (MCP)',
    description: 'Dasselbe für Assistenten, die das Model Context Protocol sprechen.',
    effect: 'Gilt sofort. Fragen zählen zum Kontingent.',
  },
  en: { title: 'Englisch' },
  de: { title: 'Deutsch' },
  es: { title: 'Spanisch' },
  fr: { title: 'Französisch' },
  it: { title: 'Italienisch' },
  pt: { title: 'Portugiesisch' },
  nl: { title: 'Niederländisch' },
  pl: { title: 'Polnisch' },
  tr: { title: 'Türkisch' },
  ar: { title: 'Arabisch' },
  ja: { title: 'Japanisch' },
  zh: { title: 'Chinesisch' },
};
