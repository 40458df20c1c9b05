import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Dazu habe ich in meinen Unterlagen keine Antwort gefunden. Bitte versuchen Sie es mit anderen Worten, oder fragen Sie nach einem Menschen.',
  unsure: 'Ich bin nicht sicher; vielleicht ist es das:',
  disclosure: {
    machine: 'Hier antwortet eine Maschine aus unseren Hilfeseiten.',
    person: 'Sie können jederzeit nach einem Menschen fragen.',
  },
  missingPart: 'Dazu habe ich in meinen Unterlagen keine Antwort gefunden.',
  signIn: 'Dafür muss ich sicher wissen, wer Sie sind. Bitte melden Sie sich an und fragen Sie noch einmal.',
  skillFailure:
    'Das konnte ich gerade nicht erledigen. Bitte versuchen Sie es gleich noch einmal, oder fragen Sie nach einem Menschen.',
  disagreement: (one, other) =>
    `Unsere Seiten widersprechen sich hier: «${one.text}» (${one.title}, ${one.date}); «${other.text}» (${other.title}, ${other.date}).`,
  channel: {
    greeting:
      'Hallo! Fragen Sie mich, was Sie möchten, ich suche die Antwort. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    help: 'Schreiben Sie Ihre Frage in eigenen Worten. Ich antworte aus unseren Unterlagen und sage, woher die Antwort ist. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    unreadable:
      'Bilder, Aufnahmen und Dateien kann ich noch nicht lesen. Bitte schreiben Sie Ihre Frage als Text.',
    filesUnread:
      'Was Sie angehängt haben, habe ich nicht gesehen: Bilder, Aufnahmen und Dateien kann ich noch nicht lesen.',
    mayHelp: 'Das könnte helfen',
    trouble:
      'Ich konnte gerade keine Antwort geben. Bitte versuchen Sie es gleich noch einmal, oder fragen Sie nach einem Menschen.',
    unavailable: 'Ich kann zurzeit keine Fragen beantworten. Bitte fragen Sie nach einem Menschen.',
    askRating: 'Wie zufrieden waren Sie? Antworten Sie mit einer Zahl von 1 (schlecht) bis 5 (sehr gut).',
    rated: 'Vielen Dank für Ihre Bewertung.',
  },
  handover: {
    passedOn: 'Ich habe dieses Gespräch an unser Team weitergegeben.',
    alreadyKnown: 'Unser Team weiß schon von diesem Gespräch.',
    shortly: 'Gleich ist hier jemand für Sie da.',
    someTime: 'Ein Mensch wird Ihnen hier antworten.',
    backOn: ({ day, time, zone }) =>
      `Unser Team ist am ${day} um ${time} Uhr (${zone}) wieder da und antwortet Ihnen hier.`,
  },
  lead: {
    askForAll:
      'Bitte nennen Sie mir Ihren Namen und eine E-Mail-Adresse oder Telefonnummer, damit unser Team sich bei Ihnen melden kann.',
    askForContact: (name) =>
      `Danke, ${name}. Bitte nennen Sie mir eine E-Mail-Adresse oder Telefonnummer, damit unser Team sich bei Ihnen melden kann.`,
    noted: (details) =>
      `Danke. Ich habe ${details} notiert, damit unser Team sich bei Ihnen melden kann. Jemand wird sich bei Ihnen melden.`,
    requestNoted:
      'Danke. Ich habe Ihre Bitte notiert. Unser Team meldet sich bei Ihnen über die Kontaktdaten, die wir von Ihnen haben.',
    askForName: 'Wie heißen Sie, damit unser Team weiß, nach wem es fragen soll?',
    nameNoted: (name) =>
      `Danke, ${name}. Ich habe Ihren Namen notiert, damit unser Team sich bei Ihnen melden kann.`,
    declined: 'In Ordnung. Ich habe keine Kontaktdaten notiert.',
    nameDeclined: 'In Ordnung, dann ohne Namen. Unser Team meldet sich bei Ihnen.',
    gaveUp:
      'Ohne E-Mail-Adresse oder Telefonnummer kann unser Team sich nicht bei Ihnen melden. Sie können mich jederzeit wieder darum bitten.',
  },
  digest: {
    subject: (count, workspace) =>
      count === 1
        ? `1 Gespräch wartet auf Sie in ${workspace}`
        : `${count} Gespräche warten auf Sie in ${workspace}`,
    mention: (actor) => `${actor} hat Sie in einer Notiz genannt`,
    assignment: (actor) =>
      actor === null ? 'Ein Gespräch wurde Ihnen zugewiesen' : `${actor} hat Ihnen ein Gespräch zugewiesen`,
    continuation: 'Ein Gespräch von Ihnen geht nach seinem Ende weiter',
    visitor: 'ein Besucher',
    more: (count) => `und ${count} weitere`,
    switchOff: 'Diese E-Mails abschalten',
  },
};
