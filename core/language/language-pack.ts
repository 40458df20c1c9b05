import type { FactWords } from './fact-words.ts';
import type { Grammar } from './grammar.ts';
import type { LanguageTexts } from './language-texts.ts';
import type { ContactWords, Courtesies, RequestForms } from './requests.ts';
import type { SmallTalkData } from './small-talk.ts';

/** Everything that the engine knows of one language. README.md tells what takes the place of a missing part. */
export interface LanguagePack {
  /** ISO 639-1. */
  readonly code: string;
  /** In English. */
  readonly name: string;
  /** How the language is detected: by letters that only it has, or by statistics among those of Latin or of other scripts. */
  readonly script: RegExp | 'latin' | 'other';
  /** Whether every noun starts with a capital, so that a capital does not tell a name. */
  readonly capitalisesNouns?: boolean;
  /** Whether there are no spaces between words and sentences. */
  readonly spaceless?: boolean;
  /** The separator between the titles of a list, with its space; `; ` without it. */
  readonly listSeparator?: string;
  readonly grammar?: Grammar;
  readonly smallTalk?: SmallTalkData;
  readonly courtesies?: Courtesies;
  /** Requests for a person of the team. */
  readonly personRequests?: RequestForms;
  /** Requests to be called, written to or sent an offer. */
  readonly contactRequests?: RequestForms;
  readonly contactWords?: ContactWords;
  /** Words around a rating from 1 to 5. */
  readonly ratings?: RatingWords;
  readonly glossary?: Glossary;
  /** Words by which facts of passages are read and compared. */
  readonly facts?: FactWords;
  readonly texts?: Partial<LanguageTexts>;
}

/** The English of words of questions to a company. */
export interface Glossary {
  /**
   * Words with `=` before their English. `versand-` is a stem that may have an ending; `_` stands for a space. Letters are
   * written without their marks: `ß` is `ss`, `ü` is `u`.
   */
  readonly entries: string;
  /** Whether words are put together from others: `Versandkosten`. */
  readonly hasCompounds: boolean;
}

/** Words around a rating that a visitor writes, with spaces between them; the units with `|`. */
export interface RatingWords {
  /** Say nothing beside the score. */
  readonly thanks?: string;
  /** Weigh thanks or an opinion, and say nothing alone. */
  readonly degrees?: string;
  readonly opinions?: string;
  /** Ask, request, or say that something is left to do. */
  readonly asking?: string;
  /** Ask if a sentence begins with them. */
  readonly openings?: string;
  /** In a script without spaces: parts of a text that ask or request. */
  readonly askingParts?: string;
  /** The unit after a digit and a space, in full: `stars`. */
  readonly units?: string;
  /** The unit after a digit, in a script without spaces. */
  readonly attachedUnits?: string;
}
