/** What the product itself says in channels. */
export interface ChannelTexts {
  readonly greeting: string;
  readonly help: string;
  /** Where a message holds nothing but files. */
  readonly unreadable: string;
  /** Where no answer could be made. */
  readonly trouble: string;
  /** Where the workspace has used up what it may answer. */
  readonly unavailable: string;
}

const english: ChannelTexts = {
  greeting:
    'Hello! Ask me anything, and I will look for the answer. Ask for a person whenever you would rather speak to one.',
  help: 'Write your question in your own words. I answer from our documents and name where the answer is from. Ask for a person whenever you would rather speak to one.',
  unreadable: 'I cannot read pictures, recordings and files yet. Please write your question as text.',
  trouble: 'I could not make an answer just now. Please try again in a moment, or ask to speak to a person.',
  unavailable: 'I cannot answer questions at the moment. Please ask to speak to a person.',
};

const texts: Readonly<Record<string, ChannelTexts>> = {
  en: english,
  de: {
    greeting:
      'Hallo! Fragen Sie mich, was Sie möchten, ich suche die Antwort. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    help: 'Schreiben Sie Ihre Frage in eigenen Worten. Ich antworte aus unseren Unterlagen und sage, woher die Antwort ist. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    unreadable:
      'Bilder, Aufnahmen und Dateien kann ich noch nicht lesen. Bitte schreiben Sie Ihre Frage als Text.',
    trouble:
      'Ich konnte gerade keine Antwort geben. Bitte versuchen Sie es gleich noch einmal, oder fragen Sie nach einem Menschen.',
    unavailable: 'Ich kann zurzeit keine Fragen beantworten. Bitte fragen Sie nach einem Menschen.',
  },
  es: {
    greeting:
      '¡Hola! Pregúnteme lo que quiera y buscaré la respuesta. Si lo prefiere, pida hablar con una persona.',
    help: 'Escriba su pregunta con sus propias palabras. Respondo con nuestros documentos y digo de dónde es la respuesta. Si lo prefiere, pida hablar con una persona.',
    unreadable:
      'Todavía no puedo leer imágenes, grabaciones ni archivos. Escriba su pregunta como texto, por favor.',
    trouble:
      'No he podido responder en este momento. Inténtelo de nuevo dentro de poco o pida hablar con una persona.',
    unavailable: 'En este momento no puedo responder preguntas. Pida hablar con una persona, por favor.',
  },
  fr: {
    greeting:
      'Bonjour ! Posez-moi votre question, je cherche la réponse. Demandez à parler à une personne si vous préférez.',
    help: "Écrivez votre question avec vos propres mots. Je réponds d'après nos documents et j'indique d'où vient la réponse. Demandez à parler à une personne si vous préférez.",
    unreadable:
      'Je ne sais pas encore lire les images, les enregistrements et les fichiers. Écrivez votre question, s’il vous plaît.',
    trouble:
      "Je n'ai pas pu répondre à l'instant. Réessayez dans un moment, ou demandez à parler à une personne.",
    unavailable: 'Je ne peux pas répondre aux questions pour le moment. Demandez à parler à une personne.',
  },
};

/** In a language (ISO 639-1) where it is one of these, else in English. */
export function channelTexts(language: string): ChannelTexts {
  return texts[language] ?? english;
}
