const english = 'Reply MORE for the rest.';
const hints: Readonly<Record<string, string>> = {
  de: 'Antworten Sie MEHR, um weiterzulesen.',
  es: 'Responda MAS para leer el resto.',
  fr: 'Répondez SUITE pour lire la suite.',
};

/** How the rest of an answer is asked for, in a language (ISO 639-1) where it is one of these, else in English. */
export function moreHint(language: string): string {
  return hints[language] ?? english;
}
