import { countingIn } from '../../counting.ts';
import type { Catalogue } from '../../english.ts';

const { plural, number } = countingIn('de');

export const answerSettings: Pick<Catalogue['settings'], 'tiers' | 'correction' | 'fallback' | 'disclosure'> =
  {
    tiers: {
      title: 'Wie sicher eine Antwort sein muss',
      text: 'Ohne Sprachmodell. Neben jeder Grenze steht, was sie für die Antworten der letzten 30 Tage bedeutet hätte.',
      answer: 'Als Antwort zeigen ab',
      maybe: 'Als unsicher zeigen ab',
      none: 'Darunter: der Text, wenn nichts gefunden wird',
      share: (percent) => `${percent} % der Antworten`,
      order: 'Höchstens der Wert darüber. Derselbe Wert: Keine Antwort gilt als unsicher.',
      counted: 'Gezählt aus gespeicherten Antworten, die Ihre Dokumente zitieren oder nichts fanden.',
      empty:
        'In den letzten 30 Tagen gab es keine Antworten. Sobald Besucher fragen, stehen hier die Anteile.',
    },
    correction: {
      title: 'Sind Antworten so sicher, wie sie sagen?',
      offer: (judged, called, helped) =>
        `Aus ${plural(judged, { one: '# beurteilten Antwort', other: '# beurteilten Antworten' })} der letzten 90 Tage: Von Antworten, die als zu ${called} % sicher galten, halfen ${helped} %. Diese Korrektur anwenden?`,
      explained:
        'Besucher urteilen mit einer Bewertung, mit „Das hat geholfen“ oder indem sie nach einem Menschen fragen. Eine Korrektur ändert, wie sicher die nächsten Antworten sind, und damit, welche Grenze oben sie erreichen.',
      table: 'Wie sicher Antworten waren und wie viele halfen',
      range: 'Sicher',
      percents: (from, to) => `${from}–${to} %`,
      percent: (value) => `${value} %`,
      answers: 'Antworten',
      before: 'Jetzt',
      after: 'Korrigiert',
      helped: 'Halfen',
      afterHint: 'Bei Antworten, aus denen die Korrektur nicht berechnet wurde.',
      moves: (moved, all) =>
        moved === 0
          ? 'Keine Antwort der letzten 30 Tage wäre anders gezeigt worden.'
          : `${number(moved)} von ${plural(all, { one: '# Antwort', other: '# Antworten' })} der letzten 30 Tage wären anders gezeigt worden:`,
      move: (count, from, to) => {
        const names = { answer: 'als Antwort', maybe: 'als unsicher', none: 'als nichts gefunden' };
        return `${number(count)} ${names[to]} statt ${names[from]}`;
      },
      use: 'Anwenden',
      decline: 'Nicht jetzt',
      inUse: (date, judged) =>
        `Seit ${date} gilt eine Korrektur aus ${plural(judged, { one: '# beurteilten Antwort', other: '# beurteilten Antworten' })}.`,
      remove: 'Zurücknehmen',
    },
    fallback: {
      title: 'Text, wenn nichts gefunden wird',
      text: 'Besucher erhalten ihn statt einer Antwort. Jede Sprache kann ihren eigenen haben.',
      language: 'Sprache',
      all: 'Alle Sprachen',
      own: (name) => `${name} · eigener Text`,
      counts: (count) =>
        count === 0
          ? 'Keine Sprache hat einen eigenen Text.'
          : plural(count, {
              one: '# Sprache hat einen eigenen Text.',
              other: '# Sprachen haben eigene Texte.',
            }),
      label: (name) => `Text: ${name}`,
      inherited: 'Leer: Besucher lesen den Text unten.',
      replaced: 'Ersetzt den üblichen Text.',
      reset: 'Üblichen Text nehmen',
      preview: 'So sehen es Besucher',
    },
    disclosure: {
      title: 'Satz, dass eine Maschine antwortet',
      text: 'Besucher lesen oder hören ihn vor der ersten Antwort. Jede Sprache kann ihren eigenen haben.',
      language: 'Sprache des Satzes',
      all: 'Alle Sprachen',
      own: (name) => `${name} · eigener Satz`,
      counts: (count) =>
        count === 0
          ? 'Keine Sprache hat einen eigenen Satz.'
          : plural(count, {
              one: '# Sprache hat einen eigenen Satz.',
              other: '# Sprachen haben eigene Sätze.',
            }),
      label: (name) => `Satz: ${name}`,
      inherited: 'Leer: Besucher lesen den Satz unten.',
      replaced: 'Ersetzt den üblichen Satz.',
      reset: 'Üblichen Satz nehmen',
      preview: 'Am Anfang eines Gesprächs',
    },
  };
