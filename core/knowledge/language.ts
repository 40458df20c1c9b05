/** Which weights and which tokens fit a text: English, another language in Latin script, or any other script. */
export type LanguageClass = 'english' | 'latin' | 'other';

export interface Language {
  /** ISO 639-1 code, or `und` where the text does not tell. */
  readonly code: string;
  readonly class: LanguageClass;
}
